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
  type Methods,
  type Page,
  type PagedList,
  type RateLimit,
  type Retry,
} from '../../client/index.ts'
import { createStandIn } from '../../client/testing/index.ts'
import type { OperationId, Schema } from '../../server/contract/handler.ts'
import type { Equal, Expect } from './equal.ts'

declare const store: AnimalStore
declare const rex: Schema<'NewPet'>
type Pet = Schema<'Pet'>
type ResultOf<Name extends keyof Methods> = Awaited<ReturnType<Methods[Name]>>

export type Names = Expect<Equal<keyof Methods, OperationId>>
type ListQuery = NonNullable<Parameters<Methods['listPets']>[0]>
export type Listed = Expect<Equal<ResultOf<'listPets'>, Page<Pet, ListQuery>>>
export type Next = Expect<Equal<ResultOf<'listPets'>['next'], ListQuery | undefined>>
export type Created = Expect<Equal<ResultOf<'createPet'>, Pet>>
export type Got = Expect<Equal<ResultOf<'getPet'>, Pet>>

const { signal } = new AbortController()
store.listPets()
store.listPets({ limit: 5, status: 'sold', cursor: 'a' }, { signal })
store.createPet(rex, { headers: { 'Idempotency-Key': 'a' } })
store.getPet(1, { signal })
createAnimalStore({ baseUrl: '/v1', apiKey: 'a', fetch: async () => new Response() })

// @ts-expect-error a limit is a number
store.listPets({ limit: '5' })
// @ts-expect-error there is no such status
store.listPets({ status: 'lost' })
// @ts-expect-error listPets has no parameter colour
store.listPets({ colour: 'brown' })
// @ts-expect-error an omitted parameter is absent, not undefined
store.listPets({ limit: undefined })

// @ts-expect-error the body is required
store.createPet()
// @ts-expect-error a pet has a category
store.createPet({ name: 'Rex' })
// @ts-expect-error a name is a string
store.createPet({ name: 1, categoryId: 7 })
// @ts-expect-error the id is assigned by the service
store.createPet({ id: 1, ...rex })
// @ts-expect-error a pet has no field colour
store.createPet({ ...rex, colour: 'brown' })
store.createPet(rex, { headers: { 'X-Request-Id': 'a' } })

// @ts-expect-error an id is needed
store.getPet()
// @ts-expect-error an id is a number
store.getPet('1')
// @ts-expect-error there is no option colour
store.getPet(1, { colour: 'brown' })
// @ts-expect-error nothing more follows the options
store.getPet(1, {}, {})

// @ts-expect-error the contract has no killPet
store.killPet(1)
export const promised: Promise<Pet[]> = store.listPets()
// @ts-expect-error a page is an array of pets
export const first: Promise<Pet> = store.listPets()
// @ts-expect-error the status of a pet may be absent
export const status: Promise<Schema<'PetStatus'>> = store.getPet(1).then((pet) => pet.status)
// @ts-expect-error a key is needed
createAnimalStore({ baseUrl: '/v1' })
// @ts-expect-error the methods are read-only
store.getPet = store.createPet

store.raw.GET('/pets', { params: { query: { limit: 5 } } })
// @ts-expect-error the contract has no such path
store.raw.GET('/animals', {})
// @ts-expect-error the path has no such method
store.raw.TRACE('/pets/{petId}', { params: { path: { petId: 1 } } })

// Options of a call.
store.getPet(1, { signal, retry: false, timeout: { attempt: 1_000 } })
store.createPet(rex, { retry: { attempts: 2 }, timeout: { total: 5_000 }, headers: {} })
store.listPets({}, { maxPages: 5, retry: { longestRetryAfter: 0 } })
// @ts-expect-error one pet has no pages
store.getPet(1, { maxPages: 5 })
// @ts-expect-error createPet has no pages
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
store.createPet(rex, { headers: { 'Idempotency-Key': 7 } })
// @ts-expect-error a call is made with the key of its client
store.getPet(1, { apiKey: 'a' })
export const own: CallOptions<'listPets'> = { maxPages: 5 }

// Errors.
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
// @ts-expect-error errors are read-only
error.code = 'none'

// Pages.
type Query = NonNullable<Parameters<AnimalStore['listPets']>[0]>
export type List = Expect<Equal<ReturnType<AnimalStore['listPets']>, PagedList<Pet, Query>>>
export async function walk(list: PagedList<Pet, Query>) {
  for await (const pet of list) pet satisfies Pet
  for await (const page of list.pages()) page satisfies Page<Pet, Query>
  const { next } = await list
  await store.listPets(next)
  // @ts-expect-error the last page has no next
  next.cursor
  // @ts-expect-error pages are read-only
  ;(await list).next = undefined
}

// Callbacks.
type Notice<Name extends 'onRetry' | 'onRateLimit' | 'onDeprecation'> = Parameters<
  NonNullable<AnimalStoreOptions[Name]>
>[0]
export type Tried = Expect<Equal<Notice<'onRetry'>, Retry>>
export type Limited = Expect<Equal<Notice<'onRateLimit'>, RateLimit>>
export type Deprecated = Expect<Equal<Notice<'onDeprecation'>, DeprecationNotice>>
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

// The openapi-fetch client.
export async function raw() {
  const { data, error: rejection } = await store.raw.GET('/pets/{petId}', {
    params: { path: { petId: 1 } },
  })
  data satisfies Pet | undefined
  rejection?.code satisfies string | undefined
  // @ts-expect-error a pet has a category
  await store.raw.POST('/pets', { body: { name: 'Rex' } })
}

const standIn = createStandIn('https://animals.example/v1')
export const handlers: readonly HttpHandler[] = standIn.handlers
export const given: HttpHandler = standIn.createPet.answers(201, 'minimal')
// @ts-expect-error createPet declares no 418
standIn.createPet.answers(418)
// @ts-expect-error 422 has no example of that name
standIn.createPet.answers(422, 'minimal')
