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
  onRetry: ({ operationId, attempt, delay, status, cause }: Retry) =>
    console.log(operationId, attempt, delay, status, cause),
  onRateLimit: ({ limit, remaining, reset }: RateLimit) =>
    console.log(limit - remaining, reset.toISOString()),
  onDeprecation: ({ operationId, since, sunset, replacement }: DeprecationNotice) =>
    console.log(operationId, since?.getTime(), sunset?.getTime(), replacement?.length),
}
export const store: AnimalStore = createAnimalStore(options)
export const methods: Methods = store
export const get: Method<'getPet'> = store.getPet
export const ids: readonly OperationId[] = ['listPets', 'createPet', 'getPet']

export async function useEverything(signal: AbortSignal): Promise<void> {
  const created: Pet = await store.createPet(
    { name: 'Rex', categoryId: 7, status: 'sold' },
    { headers: { 'Idempotency-Key': 'order-1' }, retry: false, timeout, signal },
  )
  const id: number = created.id
  const list: PagedList<Pet, Query> = store.listPets({ status: 'available', limit: 5 })
  const promise: Promise<Pet[]> = list
  const page: Page<Pet, Query> = await list
  const next: Query | undefined = page.next
  if (next !== undefined) await store.listPets(next, { signal, maxPages: 3 })
  for await (const { name, status = 'none' } of list) console.log(name.length, status)
  for await (const pets of list.pages()) console.log(pets.length, pets.next?.cursor)
  list.catch(() => []).finally(() => undefined)
  const call: CallOptions<'listPets'> = { retry, timeout: { total: 1 }, maxPages: 2 }
  const traced = { headers: { traceparent: '00-a' } }
  await Promise.all([promise, store.getPet(id, traced), store.listPets({}, call)])
}

export function tell(error: unknown): string {
  if (!(error instanceof AnimalStoreError)) return 'not ours'
  const known: FailedCall = error
  const details: readonly ErrorDetail[] = error.details
  const limit: RateLimit | undefined = error.rateLimit
  const where = details.map(({ path, message }) => `${path} ${message}`)
  const seconds: number = error.retryAfter ?? 0
  return `${known.code} ${error.status} ${error.requestId} ${seconds} ${limit?.limit} ${where}`
}

export async function goBeneath(): Promise<Pet[] | undefined> {
  store.raw.use({ onRequest: ({ request }) => request.headers.set('X-Request-Id', 'mine-0001') })
  const { data, error, response } = await store.raw.GET('/pets', {
    params: { query: { limit: 5 } },
  })
  if (error !== undefined) console.log(error.code, error.message, response.status)
  return data
}
