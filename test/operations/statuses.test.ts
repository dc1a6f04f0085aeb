import { expect, test } from 'vitest'
import { planTerms, startTestService, type TestService } from '../support/service.ts'

const operations = [
  ['listPets', '/v1/pets', {}],
  ['createPet', '/v1/pets', { method: 'POST', body: '{"name":"Rex","categoryId":7}' }],
  ['getPet', '/v1/pets/1', {}],
] as const

function call({ send }: TestService, path: string, init: RequestInit, key: string, accept = '*/*') {
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    Accept: accept,
  }
  return send(path, { ...init, headers })
}

test.each(operations)('%s without a valid key is 401', async (_, path, init) => {
  const service = await startTestService()
  expect((await call(service, path, init, 'nonsense')).status).toBe(401)
})

test.each(operations)('%s for a caller that does not take JSON is 406', async (_, path, init) => {
  const service = await startTestService()
  expect((await call(service, path, init, service.apiKey, 'text/html')).status).toBe(406)
})

test.each(operations)('%s over the limit is 429 with Retry-After', async (_, path, init) => {
  const service = await startTestService()
  const { key } = await service.issue({ ...planTerms('free'), perMinute: 1 })
  await call(service, path, init, key)
  const response = await call(service, path, init, key)
  expect(response.status).toBe(429)
  expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  expect(response.headers.get('x-ratelimit-remaining')).toBe('0')
  expect(await response.json()).toMatchObject({ code: 'rate_limited', status: 429 })
})

test.each(operations)(
  '%s that fails inside is 500, says nothing of the inside, and logs it under the request id',
  async (_, path, init) => {
    const service = await startTestService()
    await call(service, '/v1/pets', {}, service.apiKey)
    await service.place.dropAnimals()
    const response = await call(service, path, init, service.apiKey)
    expect(response.status).toBe(500)
    const text = await response.text()
    expect(JSON.parse(text)).toMatchObject({ code: 'internal_error', status: 500 })
    expect(text).not.toMatch(/sql|table|animals|at |\.ts/i)
    const requestId = response.headers.get('x-request-id')
    const line = service.logged.find((entry) => entry['requestId'] === requestId)
    expect(JSON.stringify(line)).toMatch(/no such table|relation \\"animals\\" does not exist/)
  },
)

test.each(operations)('%s without a store is 503 with Retry-After', async (_, path, init) => {
  const service = await startTestService()
  await call(service, '/v1/pets', {}, service.apiKey)
  await service.store.close()
  const response = await call(service, path, init, service.apiKey)
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('1')
  expect(await response.json()).toMatchObject({ code: 'unavailable', status: 503 })
  const ready = await service.send('/readyz', { headers: {} })
  expect(ready.status).toBe(503)
  expect((await service.send('/livez', { headers: {} })).status).toBe(200)
})

test('a key that cannot be looked up is 503 as well, with the limit headers', async () => {
  const service = await startTestService()
  await service.store.close()
  const response = await service.send('/v1/pets')
  expect(response.status).toBe(503)
  expect(response.headers.get('x-ratelimit-limit')).toBe('60')
})
