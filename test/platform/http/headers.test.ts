import { expect, test } from 'vitest'
import { startFixtureService, tool, tools } from '../../helpers/fixture-service.ts'
import { startFixtureWith } from '../../helpers/fixture-with.ts'

// That responses have the headers that are declared, and no others, every test asks.
test('every response of a deprecated operation has Deprecation and Sunset, errors too', async () => {
  const { send } = await startFixtureService()
  await send(tools, { json: JSON.parse(tool) })
  for (const [status, path, init] of [
    [200, `${tools}/1/manual`, {}],
    [404, `${tools}/2/manual`, {}],
    [400, `${tools}/x/manual`, {}],
    [401, `${tools}/1/manual`, { headers: {} }],
  ] as const) {
    const response = await send(path, init)
    expect(response.status).toBe(status)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      deprecation: `@${Date.UTC(2026, 10, 20) / 1_000}`,
      sunset: 'Fri, 31 Jan 2031 00:00:00 GMT',
    })
  }
})

test('an X-Request-Id of 8 to 64 letters, digits and hyphens is kept, and others are not', async () => {
  const { send } = await startFixtureService()
  const idFor = async (id: string) =>
    (await send('/livez', { headers: { 'X-Request-Id': id } })).headers.get('x-request-id')
  for (const id of ['abcdefgh', 'A-1'.repeat(21), 'a'.repeat(64)]) expect(await idFor(id)).toBe(id)
  for (const id of ['a'.repeat(65), 'abcdefg', 'with space', 'a_b_c_d_e']) {
    expect(await idFor(id)).toMatch(/^[0-9a-f-]{36}$/)
  }
})

test('the description decides which X-Request-Id is kept, and the value of Cache-Control', async () => {
  const { send } = await startFixtureWith({
    edit({ components: { headers } }) {
      headers['X-Request-Id'].schema.pattern = '^[A-Za-z0-9-]{8,40}$'
      headers['Cache-Control'].schema.const = 'private'
    },
  })
  const sent = { 'X-Request-Id': 'a'.repeat(50) }
  const { headers } = await send('/lending/v2/opening-hours', { headers: sent })
  expect(headers.get('x-request-id')).not.toBe(sent['X-Request-Id'])
  expect(headers.get('cache-control')).toBe('private')
})

const accepted = [
  '*/*',
  'application/json',
  'application/*;q=0.1, text/html',
  'APPLICATION/JSON',
  '',
  'application/json;version=1',
  'text/html, application/json;a="x,y;q=0";Q=0.5',
  'application/json;version=1;q=0, application/json',
  '*/*;q=0, application/json;q=0.001',
  ',',
]
const notAcceptable = [
  'text/html',
  'application/json;charset=utf-8;q=0.000',
  'application/*;q=0, */*',
  'text/html;a="application/json, */*"',
  'application/json;q=0',
  '*/*, application/json;q=0',
  ', text/html',
]

test('Accept without application/json gets 406', async () => {
  const { send, apiKey } = await startFixtureService()
  for (const accept of [...accepted, ...notAcceptable]) {
    const headers = { Authorization: `Bearer ${apiKey}`, Accept: accept }
    const response = await send(tools, { headers })
    const isAccepted = accepted.includes(accept)
    expect([accept, response.status]).toEqual([accept, isAccepted ? 200 : 406])
    expect(response.headers.get('content-type')).toBe('application/json')
    const error = { code: 'not_acceptable', status: 406 }
    if (!isAccepted) expect(await response.json()).toMatchObject(error)
  }
})

test('conditional headers and Range change no response', async () => {
  const { send, apiKey } = await startFixtureService()
  const response = await send('/lending/v2/opening-hours', {
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'If-None-Match': '*',
      'If-Modified-Since': new Date(Date.now() + 1e6).toUTCString(),
      Range: 'bytes=0-1',
    },
  })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ sat: null })
})
