import { expect, test } from 'vitest'
import { startProgram } from '../helpers/program.ts'
import {
  type Behaviour,
  emptyPage,
  reset,
  respondEndlessly,
  respondError,
  startScriptedServer,
  truncated,
} from './support/scripted-server.ts'

const rejected = respondError(503)

test('no call keeps the process alive: retried, failed, endless or cancelled', async () => {
  const scripts: readonly (readonly [string, ...Behaviour[]])[] = [
    ['0 pets', emptyPage],
    ['0 pets', rejected, reset, truncated, emptyPage],
    ['code_404', respondError(404)],
    ['network_error', reset],
    ['0 pets', respondEndlessly(503), emptyPage],
    ['AbortError', rejected],
  ]
  const urls = scripts.map(async ([outcome, ...behaviours]) => {
    const { baseUrl } = await startScriptedServer(...behaviours)
    return outcome === 'AbortError' ? `${baseUrl}/cancel` : baseUrl
  })
  const file = 'test/client/support/calls-that-end.ts'
  const program = startProgram(file, await Promise.all(urls))
  const output = scripts.map(([outcome]) => `${outcome}\n`).join('')
  expect(await program.ended).toMatchObject({ status: 0, output, complaint: '' })
})
