import { expect, test } from 'vitest'
import { exchangeBytes } from '../support/raw.ts'
import { startTestService } from '../support/service.ts'

const origin = 'https://app.example'
const preflight = {
  method: 'OPTIONS',
  headers: {
    Origin: origin,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
  },
}

test('no origin is allowed unless it is named', async () => {
  const { send } = await startTestService()
  const response = await send('/v1/pets', preflight)
  expect(response.status).toBe(401)
  expect(response.headers.get('access-control-allow-origin')).toBeNull()
})

test('a preflight from an allowed origin needs no key, and does not count', async () => {
  const { send } = await startTestService({ CORS_ORIGINS: `${origin}, http://localhost:8080` })
  const response = await send('/v1/pets', preflight)
  expect(response.status).toBe(204)
  expect(response.headers.get('access-control-allow-origin')).toBe(origin)
  expect(response.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS, POST')
  const allowed = response.headers.get('access-control-allow-headers')?.toLowerCase().split(', ')
  expect(allowed).toEqual(
    expect.arrayContaining(['authorization', 'content-type', 'idempotency-key']),
  )
  expect(response.headers.get('x-ratelimit-limit')).toBeNull()
})

test('a preflight from another origin, and OPTIONS that is no preflight, need a key', async () => {
  const { send } = await startTestService({ CORS_ORIGINS: origin })
  const foreign = { ...preflight.headers, Origin: 'https://app.example.evil' }
  const answers = [
    await send('/v1/pets', { method: 'OPTIONS', headers: foreign }),
    await send('/v1/pets', { method: 'OPTIONS', headers: { Origin: origin } }),
  ]
  for (const response of answers) expect(response.status).toBe(401)
  expect(answers[0]?.headers.get('access-control-allow-origin')).toBeNull()
})

test('answers to an allowed origin expose every header that the contract names, errors too', async () => {
  const { send, apiKey, client } = await startTestService({ CORS_ORIGINS: origin })
  await client.createPet({ name: 'Rex', categoryId: 7 })
  const headers = { Origin: origin, Authorization: `Bearer ${apiKey}` }
  const { default: contract } = await import('../../generated/openapi.json', {
    with: { type: 'json' },
  })
  for (const response of [
    await send('/v1/pets', { headers }),
    await send('/v1/pets/1', { headers }),
    await send('/v1/pets/2', { headers }),
    await send('/v1/nothing', { headers }),
    await send('/v1/pets', { headers: { Origin: origin } }),
    await send('/livez', { headers: { Origin: origin } }),
  ]) {
    expect(response.headers.get('access-control-allow-origin')).toBe(origin)
    expect(response.headers.get('vary')).toBe('Origin')
    const exposed = response.headers.get('access-control-expose-headers')?.split(', ')
    expect(exposed).toEqual(
      expect.arrayContaining(['Date', ...Object.keys(contract.components.headers)]),
    )
  }
  const without = await send('/v1/pets', { headers: { Authorization: `Bearer ${apiKey}` } })
  expect(without.headers.get('vary')).toBe('Origin')
  expect(without.headers.get('access-control-allow-origin')).toBeNull()
})

test('a misframed request from an allowed origin can be read by its program too', async () => {
  const { origin: service } = await startTestService({ CORS_ORIGINS: origin })
  const preflight = 'Access-Control-Request-Method: GET\r\n'
  for (const [status, start, fields] of [
    [414, `GET /v1/${'a'.repeat(9_000)}`, 'Host: a\r\n'],
    [417, 'GET /v1/pets', 'Host: a\r\nExpect: tea\r\n'],
    [400, 'GET /v1/pets', 'Host: a\r\nHost: b\r\n'],
    [400, 'OPTIONS /v1/pets', `Host: a\r\nHost: b\r\n${preflight}`],
  ] as const) {
    const request = `${start} HTTP/1.1\r\n${fields}Origin: ${origin}\r\n\r\n`
    const answer = await exchangeBytes(service, request)
    expect(answer.status).toBe(status)
    expect(answer.headers['access-control-allow-origin']).toBe(origin)
    expect(answer.headers['access-control-expose-headers']).toContain('X-Request-Id')
    expect(answer.headers['x-ratelimit-limit']).toBeUndefined()
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'bad_request_framing', status })
  }
})
