import type * as Client from '../../../../client/index.ts'

/** Uses most of the client; the result is the same wherever it runs. */
export async function journey(
  { createAnimalStore, AnimalStoreError }: typeof Client,
  to: Pick<Client.AnimalStoreOptions, 'baseUrl' | 'apiKey'>,
) {
  const notices: string[] = []
  const limits: Client.RateLimit[] = []
  const store = createAnimalStore({
    ...to,
    onDeprecation: ({ operationId, sunset }) =>
      notices.push(`${operationId} ${sunset?.toISOString()}`),
    onRateLimit: (limit) => limits.push(limit),
  })

  const created = []
  for (const name of ['Rex', 'Mia', 'Ömür 🐈', 'Kim', 'Bo']) {
    created.push(await store.createPet({ name, categoryId: 7, status: 'available' }))
  }
  const page = await store.listPets({ status: 'available', limit: 2 })
  const walked: string[] = []
  for await (const { name } of store.listPets({ limit: 2 })) walked.push(name)
  const sizes: number[] = []
  for await (const { length } of store.listPets({ limit: 2 }).pages()) sizes.push(length)
  const found = await store.getPet(created[2]?.id ?? 0)
  const { signal } = new AbortController()
  const together = Array.from({ length: 200 }, () => store.getPet(found.id, { signal }))

  const error = await store.createPet({ name: '', categoryId: 7 }).catch((error) => error)
  if (!(error instanceof AnimalStoreError)) throw error
  const enough = new Error('enough')
  const controller = new AbortController()
  const call = store.listPets({}, { signal: controller.signal }).catch((error) => error)
  controller.abort(enough)

  return {
    page: page.map(({ name }) => name),
    hasNext: page.next !== undefined,
    walked,
    sizes,
    found: found.name,
    foundTogether: (await Promise.all(together)).length,
    notices,
    rejected: { code: error.code, status: error.status, attempts: error.attempts },
    paths: error.details.map(({ path }) => path),
    hasRequestId: /^[\w-]{8,}$/.test(error.requestId ?? ''),
    hasRateLimit: Number(error.rateLimit?.remaining) >= 0,
    wereLimitsReported: limits.length > 5 && limits.every(({ reset }) => reset.getTime() > 0),
    isAborted: (await call) === enough,
  }
}
