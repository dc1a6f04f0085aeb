import type { HttpHandler } from 'msw'
import {
  type AnimalStore,
  AnimalStoreError,
  type AnimalStoreOptions,
  type CallOptions,
  createAnimalStore,
  createPacer,
  type DeprecationNotice,
  type ErrorCode,
  type ErrorDetail,
  type Page,
  type PagedList,
  type RateLimit,
  type Retry,
} from '../../client/index.ts'
import { createStandIn } from '../../client/testing/index.ts'
import type { Schema } from '../../server/contract/handler.ts'
import type { Equal, Expect } from './equal.ts'

declare const store: AnimalStore
const { signal } = new AbortController()
const rex = { name: 'Rex', categoryId: 7 }

// Each call takes options of its own.
store.getPet(1, { signal, retry: false, timeout: { attempt: 1_000 } })
store.createPet(rex, { retry: { attempts: 2 }, timeout: { total: 5_000 }, headers: {} })
store.listPets({}, { maxPages: 5, retry: { longestRetryAfter: 0 } })
// @ts-expect-error one animal has no pages
store.getPet(1, { maxPages: 5 })
// @ts-expect-error adding an animal has no pages
store.createPet(rex, { maxPages: 5 })
// @ts-expect-error false ends all retries, true means nothing
store.getPet(1, { retry: true })
// @ts-expect-error attempts are counted
store.getPet(1, { retry: { attempts: 'many' } })
// @ts-expect-error there is no such time
store.getPet(1, { timeout: { connect: 1_000 } })
// @ts-expect-error the times are named
store.getPet(1, { timeout: 1_000 })
// @ts-expect-error a controller is not its signal
store.getPet(1, { signal: new AbortController() })
store.getPet(1, { headers: { traceparent: '00-a' } })
// @ts-expect-error a header field is one value
store.getPet(1, { headers: { traceparent: ['00-a'] } })
// @ts-expect-error the key is a text
store.createPet({ name: 'Rex', categoryId: 7 }, { headers: { 'Idempotency-Key': 7 } })
// @ts-expect-error a call is made with the key of its client
store.getPet(1, { apiKey: 'a' })
export const own: CallOptions<'listPets'> = { maxPages: 5 }

// Errors tell what is known, and are not to be changed.
declare const error: AnimalStoreError
export type Code = Expect<Equal<typeof error.code, ErrorCode>>
export const known: ErrorCode[] = ['rate_limited', 'timeout', 'a code of a later contract']
export type Status = Expect<Equal<typeof error.status, number | undefined>>
export type Details = Expect<Equal<typeof error.details, readonly ErrorDetail[]>>
export type RequestId = Expect<Equal<typeof error.requestId, string | undefined>>
export type RetryAfter = Expect<Equal<typeof error.retryAfter, number | undefined>>
export type Limit = Expect<Equal<typeof error.rateLimit, RateLimit | undefined>>
export type Attempts = Expect<Equal<typeof error.attempts, number>>
export type Operation = Expect<Equal<typeof error.operationId, string>>
export type Cause = Expect<Equal<typeof error.cause, unknown>>
export const narrowed = (thrown: unknown) => thrown instanceof AnimalStoreError && thrown.code
// @ts-expect-error what happened is not to be rewritten
error.code = 'none'

// Pages and walks have the types of the contract.
type Pet = Schema<'Pet'>
type Query = NonNullable<Parameters<AnimalStore['listPets']>[0]>
export type List = Expect<Equal<ReturnType<AnimalStore['listPets']>, PagedList<Pet, Query>>>
export async function walk(list: PagedList<Pet, Query>) {
  for await (const pet of list) pet satisfies Pet
  for await (const page of list.pages()) page satisfies Page<Pet, Query>
  const { next } = await list
  await store.listPets(next)
  // @ts-expect-error the last page has no next
  next.cursor
  // @ts-expect-error where a page leads is not to be changed
  ;(await list).next = undefined
}

// Callbacks are told what they can rely on.
type Told<Name extends 'onRetry' | 'onRateLimit' | 'onDeprecation'> = Parameters<
  NonNullable<AnimalStoreOptions[Name]>
>[0]
export type Tried = Expect<Equal<Told<'onRetry'>, Retry>>
export type Limited = Expect<Equal<Told<'onRateLimit'>, RateLimit>>
export type Deprecated = Expect<Equal<Told<'onDeprecation'>, DeprecationNotice>>
export type Reset = Expect<Equal<RateLimit['reset'], Date>>
export type Sunset = Expect<Equal<DeprecationNotice['sunset'], Date | undefined>>
createAnimalStore({
  baseUrl: 'https://animals.example/v1',
  apiKey: 'a',
  retry: false,
  timeout: { attempt: 1, total: 2 },
  pacer: createPacer(),
  onRetry: ({ attempt, delay, status, cause }) => void [attempt, delay, status, cause],
  onRateLimit: async ({ reset }) => void reset.getTime(),
  onDeprecation: ({ sunset }) => void sunset?.getTime(),
})
// @ts-expect-error a pacer is made by createPacer
createAnimalStore({ baseUrl: '/v1', apiKey: 'a', pacer: true })
// @ts-expect-error there is no such option
createAnimalStore({ baseUrl: '/v1', apiKey: 'a', onError: () => undefined })

// The client beneath has the types of the contract as well.
export async function raw() {
  const { data, error: refusal } = await store.raw.GET('/pets/{petId}', {
    params: { path: { petId: 1 } },
  })
  data satisfies Pet | undefined
  refusal?.code satisfies string | undefined
  // @ts-expect-error an animal has a category
  await store.raw.POST('/pets', { body: { name: 'Rex' } })
}

const standIn = createStandIn('https://animals.example/v1')
export const handlers: readonly HttpHandler[] = standIn.handlers
export const given: HttpHandler = standIn.createPet.answers(201, 'minimal')
// @ts-expect-error createPet does not answer 404
standIn.createPet.answers(404)
// @ts-expect-error 422 has no example of that name
standIn.createPet.answers(422, 'minimal')
