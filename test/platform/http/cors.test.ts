import { expect, test } from 'vitest'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { startFixtureService, tools } from '../../helpers/fixture-service.ts'
import { sendBytes } from '../../helpers/raw.ts'

const origin = 'https://app.example'
const preflight = {
  Origin: origin,
  'Access-Control-Request-Method': 'POST',
  'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
}

test('a preflight request from an allowed origin needs no API key and does not count', async () => {
  const { send } = await startFixtureService({ CORS_ORIGINS: `${origin}, http://localhost:8080` })
  for (const [path, methods] of [
    [tools, 'GET, HEAD, OPTIONS, POST'],
    [`${tools}/1`, 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
  ] as const) {
    const { status, headers } = await send(path, { method: 'OPTIONS', key: '', headers: preflight })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe(origin)
    expect(headers.get('access-control-allow-methods')).toBe(methods)
    const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(', ')
    const sent = preflight['Access-Control-Request-Headers'].split(',')
    expect(allowed).toEqual(expect.arrayContaining(sent))
    expect(headers.get('x-ratelimit-limit')).toBeNull()
  }
})

const foreign = 'https://app.example.evil'
test.for([
  ['a preflight request, unless CORS_ORIGINS has an origin', {}, preflight],
  [
    'a preflight request of another origin',
    { CORS_ORIGINS: origin },
    { ...preflight, Origin: foreign },
  ],
  ['OPTIONS that is no preflight request', { CORS_ORIGINS: origin }, { Origin: origin }],
] as const)('%s needs an API key', async ([, environment, headers]) => {
  const { send } = await startFixtureService(environment)
  const response = await send(tools, { method: 'OPTIONS', key: '', headers })
  expect(response.status).toBe(401)
  const isAllowed = response.headers.get('access-control-allow-origin') !== null
  expect(isAllowed).toBe(!('Access-Control-Request-Method' in headers))
})

test('responses to an allowed origin expose every header of the description, errors too', async () => {
  const { send, apiKey } = await startFixtureService({ CORS_ORIGINS: origin })
  const described = Object.keys(Object(fixtureApi.description)['components'].headers)
  for (const [path, key, status] of [
    [tools, apiKey, 200],
    [`${tools}/2`, apiKey, 404],
    ['/lending/v2/nothing', apiKey, 404],
    [tools, '', 401],
    ['/livez', '', 200],
  ] as const) {
    const response = await send(path, { key, headers: { Origin: origin } })
    expect(response.status).toBe(status)
    expect(response.headers.get('access-control-allow-origin')).toBe(origin)
    expect(response.headers.get('vary')).toBe('Origin')
    const exposed = response.headers.get('access-control-expose-headers')?.split(', ')
    expect(exposed).toEqual(expect.arrayContaining(['Date', ...described]))
  }
  const without = await send(tools)
  expect(without.headers.get('vary')).toBe('Origin')
  expect(without.headers.get('access-control-allow-origin')).toBeNull()
})

test('the response to a malformed request from an allowed origin has the CORS headers too', async () => {
  const { origin: service } = await startFixtureService({ CORS_ORIGINS: origin })
  const request = `GET /${'a'.repeat(9_000)} HTTP/1.1\r\nHost: a\r\nOrigin: ${origin}\r\n\r\n`
  const response = await sendBytes(service, request)
  expect(response.status).toBe(414)
  expect(response.headers['access-control-allow-origin']).toBe(origin)
  expect(response.headers['access-control-expose-headers']).toContain('X-Request-Id')
  expect(response.headers['x-ratelimit-limit']).toBeUndefined()
  expect(JSON.parse(response.body)).toMatchObject({ code: 'bad_request_framing', status: 414 })
})
