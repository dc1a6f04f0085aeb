import {
  type AnimalStore,
  AnimalStoreError,
  type AnimalStoreOptions,
  type CallOptions,
  type components,
  createAnimalStore,
  createPacer,
  type DeprecationNotice,
  type ErrorDetail,
  type FailedCall,
  type Method,
  type Methods,
  type OperationId,
  type operations,
  type Page,
  type PagedList,
  type paths,
  type RateLimit,
  type Retry,
  type RetryOptions,
  type TimeoutOptions,
} from 'animal-store-client'

type Pet = components['schemas']['Pet']
type Query = NonNullable<operations['listPets']['parameters']['query']>
export type Paths = keyof paths

const retry: RetryOptions = { attempts: 2, backoff: 10, longestBackoff: 20, longestRetryAfter: 30 }
const timeout: TimeoutOptions = { attempt: 1000, total: 5000 }
export const options: AnimalStoreOptions = {
  baseUrl: 'https://host.example/v1',
  apiKey: 'ask_key',
  fetch: (request) => fetch(request),
  retry,
  timeout,
  pacer: createPacer(),
  onRetry: ({ attempt, delay, status, cause }: Retry) => console.log(attempt, delay, status, cause),
  onRateLimit: ({ limit, reset }: RateLimit) => console.log(limit, reset.toISOString()),
  onDeprecation: ({ since, sunset }: DeprecationNotice) => console.log(since, sunset?.getTime()),
}
export const store: AnimalStore = createAnimalStore(options)
export const methods: Methods = store
export const get: Method<'getPet'> = store.getPet
export const ids: readonly OperationId[] = ['listPets', 'createPet', 'getPet']
export const call: CallOptions<'listPets'> = { retry, timeout: { total: 1 }, maxPages: 2 }

export async function useEverything(signal: AbortSignal): Promise<Pet[] | undefined> {
  const headers = { 'Idempotency-Key': 'order-1', traceparent: '00-a' }
  const created: Pet = await store.createPet(
    { name: 'Rex', categoryId: 7, status: 'sold' },
    { headers, retry: false, timeout, signal },
  )
  const list: PagedList<Pet, Query> = store.listPets({ status: 'available', limit: created.id })
  const page: Page<Pet, Query> = await list
  const next: Query | undefined = page.next
  if (next !== undefined) await store.listPets(next, { signal, maxPages: 3 })
  for await (const { name, status = 'none' } of list) console.log(name.length, status)
  for await (const pets of list.pages()) console.log(pets.length, pets.next?.cursor)
  store.raw.use({ onRequest: ({ request }) => request.headers.set('X-Request-Id', 'mine-0001') })
  return (await store.raw.GET('/pets', { params: { query: { limit: 5 } } })).data
}

export function describe(error: unknown): string {
  if (!(error instanceof AnimalStoreError)) return 'not ours'
  const known: FailedCall = error
  const details: readonly ErrorDetail[] = error.details
  const limit: RateLimit | undefined = error.rateLimit
  const seconds: number = error.retryAfter ?? 0
  return `${known.code} ${error.status} ${seconds} ${limit?.limit} ${details.length}`
}
