import { expect, test } from 'vitest'
import type { AnimalStoreError, AnimalStoreOptions } from '../../client/index.ts'
import { failureOf } from './support/failure-of.ts'
import { expectNoKeyIn } from './support/printed-forms.ts'
import { apiKey, json, watch } from './support/watched-store.ts'

const rex = { name: 'Rex', categoryId: 7 }
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

/** Calls a method with whatever options a program without types may give. */
function getPet(store: ReturnType<typeof watch>['store'], options: object): Promise<unknown> {
  return Reflect.apply(store.getPet, store, [1, options])
}

test('a call may carry any header field beside those of the contract', async () => {
  const { store, requests } = watch(() => json([]))
  const headers = { traceparent }
  await store.listPets({}, { headers })
  await store.getPet(1, { headers })
  await store.createPet(rex, { headers: { ...headers, 'Idempotency-Key': 'order-7' } })
  await Array.fromAsync(store.listPets({}, { headers }))
  const sent = requests.map((request) => request.headers.get('traceparent'))
  expect(sent).toEqual(Array(4).fill(traceparent))
  expect(requests[2]?.headers.get('idempotency-key')).toBe('order-7')
})

test.each([
  ['in lower case', { 'idempotency-key': 'order-8' }],
  ['in capitals', { 'IDEMPOTENCY-KEY': 'order-8' }],
  ['as Headers name it', Object.fromEntries(new Headers({ 'Idempotency-Key': 'order-8' }))],
])("the caller's own idempotency key %s is kept, and sent once", async (_, headers) => {
  const { store, requests } = watch(
    (_, number) => (number === 1 ? json({}, { status: 503 }) : json(rex, { status: 201 })),
    { retry: { backoff: 0 } },
  )
  await store.createPet(rex, { headers })
  const sent = requests.map((request) => request.headers.get('idempotency-key'))
  expect(sent).toEqual(['order-8', 'order-8'])
})

const never = () => new Promise<Response>(() => undefined)
const unavailable = () => json({ code: 'unavailable', message: 'Later.' }, { status: 503 })

test.each([{ retry: undefined }, { timeout: undefined, headers: undefined }])(
  'undefined in the options of a call, such as %o, means those of the client',
  async (options) => {
    const { store, requests } = watch(unavailable, { retry: { attempts: 2, backoff: 0 } })
    expect(await failureOf(getPet(store, options))).toMatchObject({ attempts: 2 })
    expect(requests).toHaveLength(2)
  },
)

test.each([
  [{ attempt: 1 }, { timeout: undefined }],
  [{ total: 1 }, { timeout: undefined, retry: undefined }],
])('the client with the times %j keeps to them when a call says %o', async (timeout, options) => {
  const { store } = watch(never, { timeout })
  expect(await failureOf(getPet(store, options))).toMatchObject({ code: 'timeout' })
})

test.each<Partial<AnimalStoreOptions>>([
  { retry: { attempts: Number.NaN } },
  { retry: { backoff: Number.NaN } },
  { retry: { longestBackoff: Number.NaN } },
  { retry: { longestRetryAfter: Number.NaN } },
  { retry: {}, timeout: { total: Number.NaN } },
])('where a number is none, as in %o, nothing is sent more than once', async (options) => {
  const { store, requests } = watch(unavailable, options)
  await failureOf(store.createPet(rex))
  expect(requests).toHaveLength(1)
})

test('a key in the options of a call changes nothing: that of the client is sent, and hidden', async () => {
  const { store, requests } = watch((request) => {
    const message = `You sent ${request.headers.get('authorization')}`
    return json({ code: 'not_found', message }, { status: 404 })
  })
  const options = { apiKey: 'ask_other', baseUrl: 'https://other.example', onRetry: 1 }
  const error: AnimalStoreError = await failureOf(getPet(store, options))
  expect(requests[0]?.headers.get('authorization')).toBe(`Bearer ${apiKey}`)
  expect(error.message).toBe('You sent Bearer [redacted]')
  expectNoKeyIn(error)
})
