import { appendFile, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createProjectCopy, editSpec } from '../edits/support/project-copy.ts'
import { set } from '../pipeline/support/spec-edit.ts'
import { startProgram } from '../support/program.ts'
import { startLoopIn } from './support/designer-loop.ts'
import { patiently } from './support/patience.ts'
import { processesWith } from './support/processes.ts'

async function startLoop(environment = {}) {
  const copy = await createProjectCopy()
  const loop = await startLoopIn(copy, environment)
  onTestFinished(() => void loop.end('SIGKILL'))
  return { copy, loop, left: () => processesWith(copy) }
}

test('Ctrl-C ends it with status 0, and every process that it started', async () => {
  const { loop, left } = await startLoop()
  expect((await left()).length).toBeGreaterThan(4)
  // A stream that is open does not keep it.
  const stream = await fetch(`${loop.origin}/studio/events`)
  expect(await loop.end('SIGINT')).toBe(0)
  expect(await left()).toEqual([])
  await stream.body?.cancel().catch(() => undefined)
})

test('when it is killed, every process that it started ends by itself', async () => {
  const { loop, left } = await startLoop()
  await loop.end('SIGKILL')
  await expect.poll(left, patiently).toEqual([])
})

test('a service that is killed runs again, and requests wait for it', async () => {
  const { loop, left } = await startLoop()
  const isService = (line: string) => line.includes('service-process')
  const ids = (await left()).filter(isService).map((line) => Number.parseInt(line, 10))
  for (const id of ids) process.kill(id, 'SIGKILL')
  await expect
    .poll(() => loop.printed(), patiently)
    .toContain('The service ended by itself (SIGKILL)')
  const answers = await Promise.all([1, 2, 3].map(() => loop.send('/v1/pets')))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
})

test('a store in memory keeps the key of the designer from one save to the next', async () => {
  const { copy, loop } = await startLoop({ DATABASE_URL: 'sqlite::memory:' })
  for (const maximum of [60, 70]) {
    await editSpec(copy, set('components parameters Limit schema maximum', maximum))
    const status = async () => (await loop.send(`/v1/pets?limit=${maximum + 1}`)).status
    await expect.poll(status, patiently).toBe(400)
  }
  expect((await loop.send('/v1/pets')).status).toBe(200)
  expect(loop.printed().match(/There was no API key yet/g)).toHaveLength(1)
})

test('a second loop leaves the log of the first one as it is', async () => {
  const { copy } = await startLoop()
  const log = join(copy, 'data/dev-service.log')
  await appendFile(log, 'of the first\n')
  const second = await startLoopIn(copy, { DATABASE_URL: 'sqlite::memory:' })
  await second.end('SIGTERM')
  expect(await readFile(log, 'utf8')).toContain('of the first\n')
})

test.for([
  ['a port that is no number', { PORT: 'abc' }, /^PORT is "abc"\. Allowed: .*\n$/],
  ['a store that is none', { PORT: '0', DATABASE_URL: 'mysql:x' }, /^DATABASE_URL is "mysql:x"/],
] as const)('%s ends it with a line', async ([, env, complaint]) => {
  const copy = await createProjectCopy()
  const ended = await startProgram(`${copy}/scripts/dev.ts`, [], { cwd: copy, env }).ended
  expect(ended.status).not.toBe(0)
  expect(ended.complaint).toMatch(complaint)
  expect(ended.output).toBe('')
})

test('a taken port ends it with a line, and with everything that it started', async () => {
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
