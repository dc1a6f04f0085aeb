import { expect, test } from 'vitest'
import { startTestService } from '../support/service.ts'

test('every answer of the contract carries the headers that it promises', async () => {
  const { send, client, apiKey } = await startTestService()
  await client.createPet({ name: 'Rex', categoryId: 7 })
  const headers = { Authorization: `Bearer ${apiKey}` }
  const answers = [
    await send('/v1/pets'),
    await send('/v1/pets/1'),
    await send('/v1/pets/2'),
    await send('/v1/pets?limit=0'),
    await send('/v1/nothing'),
    await send('/v1/pets', { method: 'DELETE', headers }),
    await send('/v1/pets', { method: 'OPTIONS', headers }),
    await send('/v1/pets', { headers: {} }),
    await send('/v1/pets', { headers: { ...headers, Accept: 'text/html' } }),
    await send('/v1/pets', { method: 'POST', headers, body: '{}' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([
    200, 200, 404, 400, 404, 405, 204, 401, 406, 415,
  ])
  for (const response of answers) {
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(response.headers.get('x-ratelimit-limit')).toMatch(/^\d+$/)
    expect(response.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/)
    expect(Number(response.headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.now() / 1000)
    for (const absent of ['etag', 'x-powered-by', 'last-modified', 'accept-ranges']) {
      expect(response.headers.get(absent)).toBeNull()
    }
  }
})

test.each([
  ['abcdefgh', true],
  ['A-1'.repeat(21), true],
  ['a'.repeat(64), true],
  ['a'.repeat(65), false],
  ['abcdefg', false],
  ['with space', false],
  ['a_b_c_d_e', false],
])('the request id %s is kept: %s', async (id, isKept) => {
  const { send } = await startTestService()
  const response = await send('/livez', { headers: { 'X-Request-Id': id } })
  if (isKept) expect(response.headers.get('x-request-id')).toBe(id)
  else expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

test.each([
  ['*/*', 200],
  ['application/json', 200],
  ['application/*;q=0.1, text/html', 200],
  ['APPLICATION/JSON', 200],
  ['', 200],
  ['application/json; charset=utf-8', 200],
  ['application/json;version=1', 200],
  ['text/html, application/json;a="x,y;q=0";Q=0.5', 200],
  ['application/json;version=1;q=0, application/json', 200],
  ['*/*;q=0, application/json;q=0.001', 200],
  ['text/html', 406],
  ['application/json;charset=utf-8;q=0.000', 406],
  ['application/*;q=0, */*', 406],
  ['text/html;a="application/json, */*"', 406],
  ['json', 406],
  ['application/json;q=0', 406],
  ['*/*, application/json;q=0', 406],
  ['application/xml, text/plain;q=0.5', 406],
])('Accept: %s is answered with %i', async (accept, status) => {
  const { send, apiKey } = await startTestService()
  const headers = { Authorization: `Bearer ${apiKey}`, Accept: accept }
  const response = await send('/v1/pets', { headers })
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toBe('application/json')
  if (status === 406)
    expect(await response.json()).toMatchObject({ code: 'not_acceptable', status })
})

test('no condition or range changes an answer', async () => {
  const { send, client, apiKey } = await startTestService()
  await client.createPet({ name: 'Rex', categoryId: 7 })
  const response = await send('/v1/pets/1', {
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'If-None-Match': '*',
      'If-Modified-Since': new Date(Date.now() + 1e6).toUTCString(),
      Range: 'bytes=0-1',
    },
  })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ name: 'Rex' })
})
