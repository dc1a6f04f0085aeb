import {
  type AnimalStore,
  AnimalStoreError,
  type AnimalStoreOptions,
  type CallOptions,
  type CallResult,
  type components,
  createAnimalStore,
  createPacer,
  type DataWithResponse,
  type DeprecationEvent,
  type ErrorBody,
  type ErrorCode,
  type ErrorDetail,
  type GetPetPath,
  type ListOptions,
  type ListPetsQuery,
  type ListResult,
  type NewPet,
  type operations,
  type Pacer,
  type Page,
  type PagedList,
  type Pet,
  type PetStatus,
  type paths,
  type RateLimit,
  type RateLimitedError,
  type RetryEvent,
} from '../../../client/index.ts'
import type { Equal, Expect } from '../../helpers/equal.ts'

// The names that applications import. The tests of the package compile this with what it ships, too.

export type Names = Expect<Equal<keyof AnimalStore, keyof operations | 'raw'>>
export type Schemas = Expect<Equal<components['schemas']['PetStatus'], PetStatus>>
export type ErrorBodies = Expect<Equal<RateLimitedError['code'], 'rate_limited' | 'api_key_banned'>>

const options: AnimalStoreOptions = { baseUrl: 'https://host.example/v1', apiKey: 'ask_key' }
const store: AnimalStore = createAnimalStore(options)
export const pacer: Pacer = createPacer()

type Query = NonNullable<paths['/pets']['get']['parameters']['query']>
export type Queries = Expect<Equal<ListPetsQuery, Query>>
export type Limited = Expect<Equal<ErrorBody<429>, RateLimitedError>>
export const id: GetPetPath['petId'] = 1
export const list: PagedList<Pet, Query> & ListResult = store.listPets()
export const page: Promise<Page<Pet, Query>> = list
export const created: (body: NewPet, options?: CallOptions) => Promise<Pet> & CallResult =
  store.createPet
export const response: Promise<DataWithResponse<Pet>> = store.getPet(1).withResponse()
export const optionsOfList: ListOptions = { maxPages: 5 }

export function describe(error: unknown): ErrorCode | undefined {
  if (!(error instanceof AnimalStoreError)) {
    return undefined
  }
  const details: readonly ErrorDetail[] = error.details
  const name: 'AnimalStoreError' = error.name
  console.log(name, details)
  return error.code
}

export const hooks: Pick<AnimalStoreOptions, 'onRetry' | 'onRateLimit' | 'onDeprecation'> = {
  onRetry: (_: RetryEvent) => undefined,
  onRateLimit: (_: RateLimit) => undefined,
  onDeprecation: (_: DeprecationEvent) => undefined,
}
