import { expect, onTestFinished, test, vi } from 'vitest'
import { createApiKey } from '../../../server/access/api-key.ts'
import { startFixtureService } from '../../helpers/fixture-service.ts'
import { startWithHandlers } from './support/own-handlers.ts'

const base = '/lending/v2'

test('each request is one line with its operation, status, duration, key id and request id', async () => {
  const { send, issue, requestLines, logged } = await startFixtureService()
  const { key, id } = await issue()
  const headers = { Authorization: `Bearer ${key}`, 'X-Request-Id': 'my-request-1' }
  await send(`${base}/tools/999?`, { headers })
  await send('/openapi.json')
  expect(requestLines).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      msg: 'answered',
      requestId: 'my-request-1',
      method: 'GET',
      path: `${base}/tools/999`,
      operationId: 'getTool',
      route: `${base}/tools/{toolId}`,
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

test('a line has the time at which it was written, also when the clock is set back', async () => {
  const { origin, requestLines } = await startFixtureService()
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const times = [1_000, 1_000, 1_001, 61_001, 500]
  for (const now of times) {
    vi.setSystemTime(now)
    await fetch(`${origin}/nothing`)
  }
  expect(requestLines.map(({ time }) => Date.parse(String(time)))).toEqual(times)
  expect(requestLines[0]?.['time']).toBe('1970-01-01T00:00:01.000Z')
})

test.for([
  ['info', [base]],
  ['debug', ['/livez', '/readyz', base]],
  ['warn', []],
] as const)('at LOG_LEVEL=%s the paths in the log are %j', async ([level, paths]) => {
  const { send, requestLines } = await startFixtureService({ LOG_LEVEL: level })
  for (const path of ['/livez', '/readyz', base]) await send(path)
  expect(requestLines.map(({ path }) => path)).toEqual(paths)
})

test('an API key is redacted in the log, wherever it is sent', async () => {
  const { send, apiKey, requestLines, logged } = await startFixtureService()
  const unknown = createApiKey()
  await send(`${base}/tools`)
  await send(`${base}/${apiKey}?key=${apiKey}`)
  await send(`${base}/tools/${apiKey}`)
  await send(`${base}/tools`, { headers: { Authorization: `Bearer ${unknown}` } })
  await send(`${base}/tools`, { headers: { Authorization: `Basic ${unknown}` } })
  await send(`${base}/tools`, { headers: { 'X-Request-Id': unknown } })
  expect(requestLines).toHaveLength(6)
  const written = JSON.stringify([requestLines, logged])
  expect(written).not.toContain(apiKey)
  expect(written).not.toContain(unknown)
  expect(requestLines[2]).toMatchObject({ path: `${base}/tools/ask_***` })
})

/** Percent-encodes characters of a text, with hexadecimal digits in lower case or in upper case. */
const encode = (text: string, characters: RegExp, toCase: (hex: string) => string) =>
  text.replaceAll(characters, (one) => toCase(`%${one.charCodeAt(0).toString(16)}`))
const lower = (hex: string) => hex.toLowerCase()
const upper = (hex: string) => hex.toUpperCase()

test.for([
  ['its underscore percent-encoded', (key: string) => encode(key, /_/g, upper)],
  ['its marker percent-encoded in lower case', (key: string) => encode(key, /[ask_]/g, lower)],
  ['every character percent-encoded', (key: string) => encode(key, /./g, upper)],
  ['its underscore encoded twice', (key: string) => key.replace('_', '%255f')],
  [
    'every other character encoded three times',
    (key: string) =>
      encode(encode(encode(key, /(?<=^(?:..)*)./g, lower), /%/g, upper), /%/g, lower),
  ],
] as const)('an API key in a path with %s is redacted in the log', async ([, toPath]) => {
  const { send, apiKey, requestLines, logged } = await startFixtureService()
  const path = `${base}/tools/${toPath(apiKey)}`
  await send(path)
  await send(`${path}/x`)
  expect(requestLines).toHaveLength(2)
  let written = JSON.stringify([requestLines, logged])
  for (let decoded = 0; decoded < 5; decoded++) {
    expect(written).not.toContain(apiKey.slice(4, 14))
    written = written.replaceAll(/%([2-7][0-9a-f])/gi, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  }
})

const long = '🐶'.repeat(20_000)
const key = createApiKey()

/** What a handler does that fails, and what the line about it has. */
const failures: readonly (readonly [what: string, handler: () => unknown, line: object])[] = [
  [
    'a long error with a long cause',
    () => {
      throw new Error(long, { cause: new Error(long) })
    },
    {},
  ],
  [
    'an error with an API key',
    () => {
      throw new Error(`no row for ${key}`, { cause: new Error(`Bearer ${key}`) })
    },
    { err: { message: expect.stringContaining('no row for ask_***') } },
  ],
  [
    'a response with many long violations',
    () => ({
      status: 200,
      body: Array.from({ length: 300 }, () => ({ id: 0, name: long.slice(0, 3_000) })),
      headers: { 'X-Total': 0 },
    }),
    {},
  ],
  [
    'a response with many unknown fields',
    () => ({ status: 200, body: Object.fromEntries(Array.from(long, (_, at) => [at, at])) }),
    {},
  ],
]

test.for(failures)('%s is one short line at the level error', async ([, handler, line]) => {
  const service = await startWithHandlers({ listTools: handler as () => never })
  // Not by `send`: the response to a failure is not recorded.
  const headers = { Authorization: `Bearer ${service.apiKey}`, 'X-Request-Id': 'my-request-1' }
  expect((await fetch(`${service.baseUrl}/tools`, { headers })).status).toBe(500)
  expect(service.logged).toMatchObject([{ level: 'error', requestId: 'my-request-1', ...line }])
  const text = JSON.stringify(service.logged[0])
  expect(text.length).toBeLessThan(8_192)
  expect(text).not.toMatch(/\\ud[89a-f]/i)
  expect(text).not.toContain(key)
})

test('a long path is cut in the log', async () => {
  const { send, requestLines } = await startFixtureService()
  await send(`/${'a'.repeat(7_000)}`)
  expect(requestLines).toMatchObject([{ path: expect.stringMatching(/^\/a{9,1000}…$/) }])
})
