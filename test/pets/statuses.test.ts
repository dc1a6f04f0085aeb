import { expect, test } from 'vitest'
import { planTerms, startTestService, type TestService } from '../helpers/service.ts'
import { validRequests } from './support/contract.ts'

type ValidRequest = (typeof validRequests)[number]

function call(
  { send, apiKey }: TestService,
  { path, method, body }: ValidRequest,
  key = apiKey,
): Promise<Response> {
  const headers = { Authorization: `Bearer ${key}` }
  return body === undefined
    ? send(path, { method, headers })
    : send(path, { method, body, headers: { ...headers, 'Content-Type': 'application/json' } })
}

async function codeOf(response: Response): Promise<string> {
  const { code, status } = await response.json()
  expect(status).toBe(response.status)
  return code
}

test.each(validRequests)(
  '$operationId over the rate limit is 429 with Retry-After',
  async (request) => {
    const service = await startTestService()
    const { key } = await service.issue({ ...planTerms('free'), perMinute: 1 })
    await call(service, request, key)
    const response = await call(service, request, key)
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect(response.headers.get('x-ratelimit-remaining')).toBe('0')
    expect(await codeOf(response)).toBe('rate_limited')
  },
)

// Other operations may need neither the table nor a query for the key.
const onPets = validRequests.filter(({ operationId }) =>
  ['listPets', 'createPet', 'getPet'].includes(operationId),
)

test('the operations on pets are 500 when the database fails, and 503 when it is not reachable', async () => {
  const service = await startTestService()
  for (const request of onPets) await call(service, request)
  await service.place.dropAnimals()
  const reason = /no such table|relation \\"animals\\" does not exist/
  for (const request of onPets) await expectInternalError(service, request, reason)
  await service.store.close()
  for (const request of onPets) await expectUnavailable(service, await call(service, request))
})

async function expectInternalError(
  service: TestService,
  request: ValidRequest,
  reason: string | RegExp,
): Promise<void> {
  const response = await call(service, request)
  expect(response.status).toBe(500)
  const text = await response.clone().text()
  expect(await codeOf(response)).toBe('internal_error')
  expect(text).not.toMatch(/sql|table|animals|at |\.ts|the reason/i)
  const requestId = response.headers.get('x-request-id')
  const line = service.logged.find((entry) => entry['requestId'] === requestId)
  expect(JSON.stringify(line)).toMatch(reason)
}

async function expectUnavailable({ send }: TestService, response: Response): Promise<void> {
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('1')
  expect(response.headers.get('x-ratelimit-limit')).toMatch(/^\d+$/)
  expect(await codeOf(response)).toBe('unavailable')
  expect((await send('/readyz', { headers: {} })).status).toBe(503)
  expect((await send('/livez', { headers: {} })).status).toBe(200)
}
