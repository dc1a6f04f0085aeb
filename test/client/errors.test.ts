import { expect, test } from 'vitest'
import { type AnimalStore, AnimalStoreError, createAnimalStore } from '../../client/index.ts'
import { examples } from '../../generated/examples.ts'
import { operations } from '../../generated/operations.ts'
import { startTestService } from '../helpers/service.ts'
import { json, watch, watchService } from './support/watched-store.ts'

/** Calls a method of the client with as many arguments as its operation takes. */
function callAny(store: AnimalStore, id: string): PromiseLike<unknown> {
  const method: unknown = Object(store)[id]
  const { path, ...operation } =
    Object.values(operations).find((row) => row.operationId === id) ?? {}
  const ids = path?.match(/\{/g)?.map(() => 1) ?? []
  if (typeof method !== 'function') throw new Error(`The client has no method ${id}.`)
  return method(...ids, ...('requestBody' in operation ? [{}] : []))
}

/** What a call fails with. */
async function errorOf(call: PromiseLike<unknown>): Promise<AnimalStoreError> {
  const thrown: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (thrown instanceof AnimalStoreError) return thrown
  throw new Error('It did not fail with an AnimalStoreError.', { cause: thrown })
}

interface Documented {
  readonly headers: Readonly<Record<string, string>>
  readonly bodies: Readonly<Record<string, unknown>>
}

const documented = Object.entries(examples).flatMap(([id, statuses]) =>
  Object.entries<Documented>(statuses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { headers, bodies }]) =>
      Object.entries(bodies).map(([name, body]) => {
        return { id, status: Number(status), name, headers, body }
      }),
    ),
)

test.each(documented)('$id: the example $name of $status is told in full', async (row) => {
  const { store } = watch(() => json(row.body, row))
  const error = await errorOf(callAny(store, row.id))
  const { 'Retry-After': retryAfter, 'X-RateLimit-Reset': reset } = row.headers
  expect(error).toMatchObject({
    name: 'AnimalStoreError',
    details: [],
    ...Object(row.body),
    status: row.status,
    operationId: row.id,
    attempts: 1,
    requestId: row.headers['X-Request-Id'],
    rateLimit: {
      limit: Number(row.headers['X-RateLimit-Limit']),
      remaining: Number(row.headers['X-RateLimit-Remaining']),
      reset: new Date(Number(reset) * 1000),
    },
  })
  expect(error.retryAfter).toBe(retryAfter === undefined ? undefined : Number(retryAfter))
  expect(error.cause).toBeUndefined()
})

test('the examples have every error of every operation', () => {
  expect(documented.length).toBeGreaterThan(20)
  expect(new Set(documented.map(({ id }) => id))).toEqual(new Set(Object.keys(operations)))
})

test('what the running service refuses is told with its details and its request id', async () => {
  const service = await startTestService()
  const { store } = watchService(service, { retry: false })
  const invalid = await errorOf(store.createPet({ name: '', categoryId: 0.5 }))
  expect(invalid).toMatchObject({ status: 400, code: 'invalid_request', operationId: 'createPet' })
  expect(invalid.details.map(({ path }) => path)).toEqual(['/body/name', '/body/categoryId'])
  expect(invalid.message).toBe('The request breaks the contract in 2 places.')
  const missing = await errorOf(store.getPet(9))
  expect(missing).toMatchObject({ status: 404, code: 'not_found', details: [], attempts: 1 })
  expect(invalid.requestId).toMatch(/^[0-9a-f-]{36}$/)
  expect(missing.requestId).not.toBe(invalid.requestId)
  const { limit, remaining, reset } = missing.rateLimit ?? {}
  expect({ limit, remaining }).toEqual({ limit: 1e6, remaining: 1e6 - 2 })
  expect(reset).toBeInstanceOf(Date)
})

test('a key that is used again for another animal is refused by its code', async () => {
  const { client } = await startTestService()
  const again = { headers: { 'Idempotency-Key': 'once' } }
  await client.createPet({ name: 'Rex', categoryId: 7 }, again)
  const error = await errorOf(client.createPet({ name: 'Mia', categoryId: 3 }, again))
  expect(error).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
})

test('a wrong key and a limit that is met are refused by their codes', async () => {
  const service = await startTestService()
  const wrong = watchService(service, { apiKey: 'ask_wrong' })
  expect(await errorOf(wrong.store.listPets())).toMatchObject({ code: 'invalid_api_key' })
  const { key: apiKey } = await service.issue({ perMinute: 1, perDay: 5 })
  const { store } = watchService(service, { apiKey, retry: false })
  await store.listPets()
  const error = await errorOf(store.listPets())
  expect(error).toMatchObject({ status: 429, code: 'rate_limited', rateLimit: { remaining: 0 } })
  expect(error.retryAfter).toBeGreaterThan(0)
})

test('a service that is not there is a network error with the reason and without a status', async () => {
  const service = await startTestService()
  await service.stop()
  const { baseUrl, apiKey } = service
  const error = await errorOf(createAnimalStore({ baseUrl, apiKey, retry: false }).listPets())
  expect(error).toMatchObject({ code: 'network_error', operationId: 'listPets', attempts: 1 })
  expect(error.status).toBeUndefined()
  expect(error.message).toBe('No answer to listPets came (attempts: 1).')
  expect(error.cause).toMatchObject({ cause: { code: 'ECONNREFUSED' } })
})

test('an error is an Error with a stack that begins with its name and message', async () => {
  const { store } = watch(() => json(examples.getPet[404].bodies.notFound, { status: 404 }))
  const error = await errorOf(store.getPet(1))
  expect(error).toBeInstanceOf(Error)
  expect(error.stack).toMatch(/^AnimalStoreError: .+\n +at /)
  // It names the line that called, behind those of the client.
  expect(error.stack).toContain('errors.test.ts')
  expect(String(error)).toBe(`AnimalStoreError: ${error.message}`)
  expect(JSON.parse(JSON.stringify(error))).toMatchObject({ code: 'not_found', status: 404 })
})
