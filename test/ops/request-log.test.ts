import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createApiKey } from '../../server/access/api-key.ts'
import { createLog } from '../../server/ops/log.ts'
import { createTerminalLines } from '../../server/ops/terminal-lines.ts'
import { startTestService } from '../support/service.ts'

test('each request gets one line, with what it was and how it came out', async () => {
  const { send, issue, requestLines, logged } = await startTestService()
  const { key, id } = await issue()
  const headers = { Authorization: `Bearer ${key}`, 'X-Request-Id': 'my-request-1' }
  await send('/v1/pets/999?', { headers })
  await send('/openapi.json')
  expect(requestLines).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      msg: 'answered',
      requestId: 'my-request-1',
      method: 'GET',
      path: '/v1/pets/999',
      operationId: 'getPet',
      route: '/v1/pets/{petId}',
      status: 404,
      code: 'not_found',
      milliseconds: expect.any(Number),
      keyId: id,
    },
    expect.objectContaining({ path: '/openapi.json', status: 200 }),
  ])
  expect(`${requestLines[0]?.['milliseconds']}`).toMatch(/^\d+(\.\d{1,3})?$/)
  expect(requestLines[1]).not.toHaveProperty('keyId')
  expect(logged).toEqual([])
})

test('a line says when it was written, also when the clock is set back', () => {
  const times: string[] = []
  const log = createLog('info', { write: (line) => void times.push(JSON.parse(line).time) })
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  for (const now of [1_000, 1_000, 1_001, 61_001, 500]) {
    vi.setSystemTime(now)
    log.info('now')
  }
  const said = times.map((time) => Date.parse(time))
  expect(said).toEqual([1_000, 1_000, 1_001, 61_001, 500])
  expect(times[0]).toBe('1970-01-01T00:00:01.000Z')
})

test('no key gets into the log, wherever it is sent', async () => {
  const { send, apiKey, requestLines, logged } = await startTestService()
  const unknown = createApiKey()
  await send('/v1/pets')
  await send(`/v1/${apiKey}?key=${apiKey}`)
  await send(`/v1/pets/${apiKey}`)
  await send('/v1/pets', { headers: { Authorization: `Bearer ${unknown}` } })
  await send('/v1/pets', { headers: { Authorization: `Basic ${unknown}` } })
  await send('/v1/pets', { headers: { 'X-Request-Id': unknown } })
  expect(requestLines).toHaveLength(6)
  const written = JSON.stringify([requestLines, logged])
  expect(written).not.toContain(apiKey)
  expect(written).not.toContain(unknown)
})

test.for([
  ['info', []],
  ['debug', ['/livez', '/readyz']],
] as const)('at the level %s the probes in the log are %j', async ([level, paths]) => {
  const { send, requestLines } = await startTestService({ LOG_LEVEL: level })
  await send('/livez')
  await send('/readyz')
  expect(requestLines.map(({ path }) => path)).toEqual(paths)
})

test('at a level above, requests get no line', async () => {
  const { send, requestLines } = await startTestService({ LOG_LEVEL: 'warn' })
  await send('/v1/pets')
  expect(requestLines).toEqual([])
})

test('in a terminal a request is a line for people, and cannot steer the terminal', async () => {
  let text = ''
  const terminal = new PassThrough().on('data', (more) => {
    text += more
  })
  const log = createLog('info', createTerminalLines(terminal))
  const request = { requestId: 'my-request-1', method: 'GET', path: '/v1/pets\u009b2J' }
  const found = { operationId: 'listPets', route: '/v1/pets', keyId: 'key_x' }
  log.info({ ...request, ...found, status: 200, milliseconds: 1.234 }, 'answered')
  log.info({ ...request, milliseconds: 5 }, 'the caller left before the answer')
  log.error({ requestId: 'my-request-1', path: '/v1/pets', err: new Error('broken') }, 'It failed.')
  await vi.waitUntil(() => text.includes('broken'))
  const [answered, left, failed, ...stack] = text.split('\n')
  const time = /^\[\d\d:\d\d:\d\d\.\d{3}\] /
  expect([answered, left, failed].map((line) => line?.replace(time, ''))).toEqual([
    'INFO: GET /v1/pets?2J 200 in 1.2 ms  listPets  key_x  my-request-1',
    'INFO: GET /v1/pets?2J the caller left before the answer in 5.0 ms  my-request-1',
    'ERROR: It failed.  /v1/pets  my-request-1',
  ])
  expect(stack.join('\n')).toContain('"message": "broken"')
})
