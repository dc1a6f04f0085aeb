import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { runInShell, startProgram } from '../../helpers/program.ts'
import { createProjectCopy, editSpec } from '../drift/support/project-copy.ts'
import { type Edit, set } from '../pipeline/support/spec-edit.ts'
import { changeLimit, limitIn, startLoopIn } from './support/dev-loop.ts'

const run = promisify(execFile)
const patiently = { timeout: 120_000, interval: 50 }

/** Returns the processes with a text in their command line. */
async function processesWith(text: string): Promise<readonly string[]> {
  const { stdout } = await run('ps', ['-axww', '-o', 'pid=,args='])
  return stdout.split('\n').filter((line) => line.includes(text))
}

async function startLoop(edit?: Edit, environment = {}) {
  const copy = await createProjectCopy()
  if (edit !== undefined) await editSpec(copy, edit)
  const loop = await startLoopIn(copy, environment)
  onTestFinished(() => void loop.end('SIGKILL'))
  return { copy, loop, left: () => processesWith(copy) }
}

const renamed: Edit = (description) => {
  set('paths /pets get operationId', 'findPets')(description)
  set('paths /pets/{petId} get x-replaced-by operationId', 'findPets')(description)
}

test('Ctrl-C ends npm run dev with status 0, and every process that it started', async () => {
  const { loop, left } = await startLoop()
  expect((await left()).length).toBeGreaterThan(1)
  // An open event stream does not prevent that.
  const stream = await fetch(`${loop.origin}/studio/events`)
  expect(await loop.end('SIGINT')).toBe(0)
  expect(await left()).toEqual([])
  await stream.body?.cancel().catch(() => undefined)
})

test('when npm run dev is killed, every process that it started ends', async () => {
  const { loop, left } = await startLoop()
  await loop.end('SIGKILL')
  await expect.poll(left, patiently).toEqual([])
})

test('the first API key and its curl command work after every save, whatever operations are called', async () => {
  const { copy, loop } = await startLoop(renamed, { DATABASE_URL: 'sqlite::memory:' })
  for (const by of [1, 2]) {
    const highest = limitIn(await editSpec(copy, changeLimit(by)))
    const status = async () => (await loop.send(`/pets?limit=${highest}`)).status
    await expect.poll(status, patiently).toBe(200)
  }
  expect(loop.printed().match(/There was no API key yet/g)).toHaveLength(1)
  const [curl = ''] = /curl .+/.exec(loop.printed()) ?? []
  expect(curl).toMatch(/\/pets$/)
  const shell = await runInShell(curl.replace('curl', 'curl --silent --show-error --include'))
  expect(shell).toMatchObject({ status: 0, output: expect.stringMatching(/^HTTP\/1.1 200 /) })
})

test.for([
  ['a port that is no number', { PORT: 'abc' }, /^PORT is "abc"\. Allowed: .*\n$/],
  ['an unknown store', { PORT: '0', DATABASE_URL: 'mysql:x' }, /^DATABASE_URL is "mysql:x"/],
] as const)('%s ends npm run dev with one line', async ([, env, complaint]) => {
  const copy = await createProjectCopy()
  const ended = await startProgram(`${copy}/scripts/dev.ts`, [], { cwd: copy, env }).ended
  expect(ended.status).not.toBe(0)
  expect(ended.complaint).toMatch(complaint)
  expect(ended.output).toBe('')
})

test('a port in use ends npm run dev with one line, and every process that it started', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void taken.close())
  const address = taken.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const copy = await createProjectCopy()
  const env = { PORT: port }
  const ended = await startProgram(`${copy}/scripts/dev.ts`, [], { cwd: copy, env }).ended
  expect(ended.status).not.toBe(0)
  expect(ended.complaint).toMatch(/^Cannot listen: .*EADDRINUSE.*Set HOST and PORT .*\n$/)
  expect(await processesWith(copy)).toEqual([])
})
