import { expect, test } from 'vitest'
import { createApiKey } from '../../server/access/api-key.ts'
import { createLog } from '../../server/ops/log.ts'
import { longestLine } from '../../server/ops/log-line.ts'

/** What the log writes, line by line. */
function keptLog() {
  const lines: string[] = []
  return { lines, log: createLog('info', { write: (line) => void lines.push(line) }) }
}

const long = '🐶'.repeat(20_000)
const manyFields = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`field${at}`, at]))

test.for([
  ['a path', { path: long }],
  ['an error with its stack and cause', { err: new Error(long, { cause: new Error(long) }) }],
  ['many texts', { faults: Array.from({ length: 3_000 }, () => 'a fault') }],
  ['many long texts', { headers: Array.from({ length: 30 }, () => ({ value: long })) }],
  ['many fields', { body: manyFields }],
] as const)('%s cannot make a line of the log long', ([, fields]) => {
  const { lines, log } = keptLog()
  log.error({ requestId: 'a-request', ...fields }, 'it failed')
  const [line = '', ...more] = lines
  expect(more).toEqual([])
  expect(line.length).toBeLessThanOrEqual(longestLine)
  expect(line.isWellFormed()).toBe(true)
  expect(line.match(/\n/g)).toHaveLength(1)
  const entry = JSON.parse(line)
  expect(entry).toMatchObject({ level: 'error', requestId: 'a-request', msg: 'it failed' })
})

test('a line that is short enough is written as it is', () => {
  const { lines, log } = keptLog()
  const path = 'a'.repeat(longestLine - 200)
  log.info({ path }, 'it went well')
  expect(JSON.parse(lines.join(''))).toMatchObject({ level: 'info', path, msg: 'it went well' })
})

test('whatever a line is about, no key is in it', () => {
  const { lines, log } = keptLog()
  const key = createApiKey()
  const err = new Error(`no row for ${key}`, { cause: new Error(`Bearer ${key}`) })
  log.error({ path: `/v1/pets/${key}`, faults: [key], err }, `it failed for ${key}`)
  const [line = ''] = lines
  expect(line).not.toContain(key)
  expect(JSON.parse(line)).toMatchObject({ path: '/v1/pets/ask_***', msg: 'it failed for ask_***' })
})
