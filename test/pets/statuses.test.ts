import { expect, test } from 'vitest'
import description from '../../generated/openapi.json' with { type: 'json' }
import { readDescription } from '../helpers/conformance/description.ts'
import { validRequests } from '../helpers/conformance/requests.ts'
import { planTerms, startTestService, type TestService } from '../helpers/service.ts'

const requests = validRequests(readDescription(description))

function call({ send }: TestService, request: (typeof requests)[number], options: object = {}) {
  return send(request.path, { method: request.method, json: request.json, ...options })
}

test.each(requests)('$operationId without JSON in Accept is 406', async (request) => {
  const response = await call(await startTestService(), request, { headers: { Accept: 'a/b' } })
  expect(response.status).toBe(406)
  expect(await response.json()).toMatchObject({ code: 'not_acceptable', status: 406 })
})

test.each(requests)('$operationId over the rate limit is 429 with Retry-After', async (request) => {
  const service = await startTestService()
  const { key } = await service.issue({ ...planTerms('free'), perMinute: 1 })
  await call(service, request, { key })
  const response = await call(service, request, { key })
  expect(response.status).toBe(429)
  expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  expect(response.headers.get('x-ratelimit-remaining')).toBe('0')
  expect(await response.json()).toMatchObject({ code: 'rate_limited', status: 429 })
})

// Other operations may need neither the table nor a query for the key.
const onPets = requests.filter(({ operationId }) =>
  ['listPets', 'createPet', 'getPet'].includes(operationId),
)

test('the operations on pets are 500 when the database fails, and 503 when it is not reachable', async () => {
  const service = await startTestService()
  for (const request of onPets) await call(service, request)
  await service.db.execute('DROP TABLE animals')
  for (const request of onPets) {
    const response = await call(service, request)
    const text = await response.text()
    expect(response.status).toBe(500)
    expect(JSON.parse(text)).toMatchObject({ code: 'internal_error', status: 500 })
    expect(text).not.toMatch(/sql|table|animals|at |\.ts/i)
    const requestId = response.headers.get('x-request-id')
    const line = service.logged.find((entry) => entry['requestId'] === requestId)
    const reason = /no such table|relation \\"animals\\" does not exist/
    expect(JSON.stringify(line)).toMatch(reason)
  }
  await service.store.close()
  for (const request of onPets) {
    const response = await call(service, request)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await response.json()).toMatchObject({ code: 'unavailable', status: 503 })
  }
  expect((await service.send('/readyz', { key: '' })).status).toBe(503)
  expect((await service.send('/livez', { key: '' })).status).toBe(200)
})
