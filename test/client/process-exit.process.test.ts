import { createServer, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { listen } from '../helpers/free-port.ts'
import { startProgram } from '../helpers/program.ts'

/** Handles a request. */
type Behaviour = (response: ServerResponse) => unknown

const emptyPage: Behaviour = (response) => response.end('[]')
const fail = (status: number): Behaviour => {
  const error = { code: `code_${status}`, message: `Error ${status}.`, status }
  return (response) => response.writeHead(status).end(JSON.stringify(error))
}
const reset: Behaviour = ({ socket }) => socket?.resetAndDestroy()
const breakOff: Behaviour = (response) =>
  response.writeHead(200, { 'Content-Length': 99 }).write('[', () => response.destroy())
const respondLate: Behaviour = (response) => response.writeHead(408, { Connection: 'close' }).end()
const claimGzip: Behaviour = (response) =>
  response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('[]')
const respondEndlessly: Behaviour = (response) => {
  const spaces = Iterator.from({ next: () => ({ value: ' '.repeat(1_024), done: false }) })
  return Readable.from(spaces).pipe(response.writeHead(503))
}

/** Starts a server with one behaviour for each request; the last one handles all that follow. */
async function startServer(behaviours: readonly Behaviour[]): Promise<string> {
  const script = [...behaviours]
  const server = createServer((_, response) => {
    const behaviour = script.length > 1 ? script.shift() : script[0]
    behaviour?.(response)
  })
  return `http://127.0.0.1:${await listen(server)}/v1`
}

test('no call keeps the process alive: retried, failed, endless or cancelled', async () => {
  const scripts: readonly (readonly [string, ...Behaviour[]])[] = [
    ['0 pets', emptyPage],
    ['0 pets', fail(503), reset, breakOff, emptyPage],
    ['0 pets', respondLate, claimGzip, respondEndlessly, emptyPage],
    ['code_404', fail(404)],
    ['network_error', reset],
    ['AbortError', fail(503)],
  ]
  const urls = scripts.map(async ([outcome, ...behaviours]) => {
    const baseUrl = await startServer(behaviours)
    return outcome === 'AbortError' ? `${baseUrl}/cancel` : baseUrl
  })
  const file = 'test/client/support/calls-that-end.ts'
  const program = startProgram(file, await Promise.all(urls))
  const output = scripts.map(([outcome]) => `${outcome}\n`).join('')
  expect(await program.ended).toMatchObject({ status: 0, output, errorOutput: '' })
})
