import { expect, test } from 'vitest'
import { createApiKey } from '../../../server/auth/api-key.ts'
import { apiKeyMarker as marker } from '../../../server/names.ts'
import { startFixtureService, startFixtureWith, tools } from '../../helpers/fixture-service.ts'

const base = '/lending/v2'

test('each request is one line with its operation, status, duration, key id and request id', async () => {
  const { send, issue, requestLines, logged } = await startFixtureService()
  const { key, id } = await issue()
  await send(`${base}/tools/999?`, { key, headers: { 'X-Request-Id': 'my-request-1' } })
  await send('/openapi.json')
  expect(requestLines).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      msg: 'request completed',
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

test.for([
  ['info', [base]],
  ['debug', ['/livez', '/readyz', base]],
  ['warn', []],
] as const)('at LOG_LEVEL=%s the paths in the log are %j', async ([level, paths]) => {
  const { send, requestLines } = await startFixtureService({ LOG_LEVEL: level })
  for (const path of ['/livez', '/readyz', base]) await send(path)
  expect(requestLines.map(({ path }) => path)).toEqual(paths)
})

/** Percent-encodes characters of a text, with hexadecimal digits in lower case or in upper case. */
const encode = (text: string, characters: RegExp, toCase: 'toLowerCase' | 'toUpperCase') =>
  text.replaceAll(characters, (one) => `%${one.charCodeAt(0).toString(16)}`[toCase]())

test('an API key is redacted in the log, wherever it is sent, and however it is encoded', async () => {
  const { send, apiKey, requestLines, logged } = await startFixtureService()
  const unknown = createApiKey()
  const everyOther = encode(apiKey, /(?<=^(?:..)*)./g, 'toLowerCase')
  const paths = [
    apiKey,
    encode(apiKey, /./g, 'toUpperCase'),
    apiKey.replace('_', '%255f'),
    encode(encode(everyOther, /%/g, 'toUpperCase'), /%/g, 'toLowerCase'),
  ]
  await send(`${tools}/${apiKey}?key=${apiKey}`)
  for (const path of paths) await send(`${tools}/${path}/x`)
  for (const path of paths) await send(`${base}/${path}`)
  for (const headers of [
    { Authorization: `Bearer ${unknown}` },
    { Authorization: `Basic ${unknown}` },
    { 'X-Request-Id': unknown },
  ]) {
    await send(tools, { headers })
  }
  expect(requestLines).toHaveLength(4 + 2 * paths.length)
  expect(requestLines[0]).toMatchObject({ path: `${tools}/${marker}***` })
  let written = JSON.stringify([requestLines, logged])
  for (let decoded = 0; decoded < 5; decoded++) {
    for (const secret of [apiKey, unknown])
      expect(written).not.toContain(secret.slice(marker.length, marker.length + 10))
    written = written.replaceAll(/%([2-7][0-9a-f])/gi, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  }
})

const long = '🐶'.repeat(20_000)

/** What a handler does that fails. */
const failures: readonly (readonly [what: string, handler: () => unknown])[] = [
  [
    'a long error with a long cause',
    () => Promise.reject(new Error(long, { cause: new Error(long) })),
  ],
  [
    'a response with many long violations',
    () => ({
      status: 200,
      body: Array.from({ length: 300 }, () => ({ id: 0, name: long.slice(0, 3_000) })),
      headers: { 'X-Total': 0 },
    }),
  ],
]

test.for(failures)('%s is one short line at the level error', async ([, handler]) => {
  const service = await startFixtureWith({ handlers: { listTools: handler as () => never } })
  // Not by `send`: the response to a failure is not recorded.
  const headers = { Authorization: `Bearer ${service.apiKey}`, 'X-Request-Id': 'my-request-1' }
  expect((await fetch(`${service.baseUrl}/tools`, { headers })).status).toBe(500)
  expect(service.logged).toMatchObject([{ level: 'error', requestId: 'my-request-1' }])
  const text = JSON.stringify(service.logged[0])
  expect(text.length).toBeLessThan(8_192)
  expect(text).not.toMatch(/\\ud[89a-f]/i)
})

test('a long path is cut in the log', async () => {
  const { send, requestLines } = await startFixtureService()
  await send(`/${'a'.repeat(7_000)}`)
  expect(requestLines).toMatchObject([{ path: expect.stringMatching(/^\/a{9,1000}…$/) }])
})
