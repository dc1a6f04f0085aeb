import {
  type AnimalStore,
  type AnimalStoreError,
  type AnimalStoreOptions,
  type CallOptions,
  type components,
  createAnimalStore,
  type DataWithResponse,
  type DeprecationEvent,
  type ErrorCode,
  type ErrorDetail,
  type ListOptions,
  type NewPet,
  type operations,
  type Page,
  type PagedList,
  type Pet,
  type PetStatus,
  type paths,
  type RateLimit,
  type RateLimitedError,
  type RetryEvent,
} from '../../../client/index.ts'
import type { Equal, Expect } from './equal.ts'

// The tests of the package compile this with what it ships, too, beside the snippets of its README,
// which use all methods, options and fields.

declare const store: AnimalStore
declare const rex: NewPet
type Query = NonNullable<paths['/pets']['get']['parameters']['query']>

// Methods and their results.
export type Names = Expect<Equal<Exclude<keyof AnimalStore, 'raw'>, keyof operations>>
export type Body = Expect<Equal<Parameters<AnimalStore['createPet']>[0], NewPet>>
export type Listed = Expect<Equal<Awaited<ReturnType<AnimalStore['listPets']>>, Page<Pet, Query>>>
export type Created = Expect<Equal<Awaited<ReturnType<AnimalStore['createPet']>>, Pet>>
export type Schemas = Expect<Equal<components['schemas']['PetStatus'], PetStatus>>
export type ErrorBodies = Expect<Equal<RateLimitedError['code'], 'rate_limited' | 'api_key_banned'>>
export const promised: [Promise<Pet[]>, Promise<Pet>] = [store.listPets(), store.getPet(1)]
export const both: Promise<DataWithResponse<Pet>> = store.getPet(1).withResponse()
// @ts-expect-error the status of a pet may be absent
export const status: Promise<string> = store.getPet(1).then((pet) => pet.status)
export async function walk(list: PagedList<Pet, Query> = store.listPets()) {
  // @ts-expect-error one pet cannot be iterated
  for await (const pet of store.getPet(1)) console.log(pet)
  const { next } = await list
  // @ts-expect-error the last page has no next
  next.cursor
}

// A library that wraps calls declares their types, which it has to be able to name.
export const listSold = () => store.listPets({ status: 'sold' })
export const createRex = () => store.createPet(rex)

// Options of a client.
const service = { baseUrl: 'https://host.example/v1', apiKey: async () => 'ask_key' }
const undefinedOptions = { fetch: undefined, pacer: undefined, onRetry: undefined }
createAnimalStore({ ...service, ...undefinedOptions, onRateLimit: undefined, timeout: undefined })
// @ts-expect-error a key is needed
createAnimalStore({ baseUrl: '/v1' })
// @ts-expect-error there is no such option
createAnimalStore({ ...service, onError: () => undefined })
// @ts-expect-error a pacer is made by createPacer
createAnimalStore({ ...service, pacer: true })
// @ts-expect-error a timeout is a number
createAnimalStore({ ...service, timeout: { attempt: 1_000 } })
export const hooks: Pick<AnimalStoreOptions, 'onRetry' | 'onRateLimit' | 'onDeprecation'> = {
  onRetry: (_: RetryEvent) => undefined,
  onRateLimit: (_: RateLimit) => undefined,
  onDeprecation: (_: DeprecationEvent) => undefined,
}

// Calls and their options.
const none: CallOptions = { signal: undefined, headers: undefined, maxRetries: undefined }
const noneOfList: ListOptions = { ...none, maxPages: undefined }
store.listPets({}, noneOfList)
// @ts-expect-error a limit is a number
store.listPets({ limit: '5' })
// @ts-expect-error listPets has no parameter colour
store.listPets({ colour: 'brown' })
// @ts-expect-error the body is required
store.createPet()
// @ts-expect-error a pet has a category
store.createPet({ name: 'Rex' })
// @ts-expect-error the id is assigned by the service
store.createPet({ id: 1, ...rex })
// @ts-expect-error an id is a number
store.getPet('1')
// @ts-expect-error one pet has no pages
store.getPet(1, { maxPages: 5 })
// @ts-expect-error maxRetries: 0 ends all retries
store.getPet(1, { maxRetries: false })
// @ts-expect-error a header field is one value
store.getPet(1, { headers: { traceparent: ['00-a'] } })
// @ts-expect-error the key is a text
store.createPet(rex, { headers: { 'Idempotency-Key': 7 } })
// @ts-expect-error a pet has a category
store.raw.POST('/pets', { body: { name: 'Rex' } })

// Errors.
declare const error: AnimalStoreError
export type Code = Expect<Equal<typeof error.code, ErrorCode>>
export const known: ErrorCode[] = ['rate_limited', 'timeout', 'a code of a later contract']
export type Details = Expect<Equal<typeof error.details, readonly ErrorDetail[]>>
export const limit: RateLimit | undefined = error.rateLimit
export const described: [number, string] = [error.attempts, error.operationId]
// @ts-expect-error errors are read-only
error.code = 'none'
