import type * as Client from '../../../../client/index.ts'

/** Uses most of the client; the result is the same wherever it runs. */
export async function journey(
  { createAnimalStore, AnimalStoreError }: typeof Client,
  to: Pick<Client.AnimalStoreOptions, 'baseUrl' | 'apiKey'>,
) {
  const notices: string[] = []
  const store = createAnimalStore({
    ...to,
    onDeprecation: ({ operationId, sunset }) =>
      notices.push(`${operationId} ${sunset?.toISOString()}`),
  })

  const created = []
  for (const name of ['Rex', 'Mia', 'Ömür 🐈', 'Kim', 'Bo']) {
    created.push(await store.createPet({ name, categoryId: 7, status: 'available' }))
  }
  const walked: string[] = []
  for await (const { name } of store.listPets({ limit: 2 })) walked.push(name)
  const found = await store.getPet(created[2]?.id ?? 0)

  const error = await store.createPet({ name: '', categoryId: 7 }).catch((error) => error)
  if (!(error instanceof AnimalStoreError)) throw error
  const enough = new Error('enough')
  const controller = new AbortController()
  const call = store.listPets({}, { signal: controller.signal }).catch((error) => error)
  controller.abort(enough)

  return {
    walked,
    found: found.name,
    notices,
    rejected: { code: error.code, status: error.status, attempts: error.attempts },
    hasRequestId: /^[\w-]{8,}$/.test(error.requestId ?? ''),
    hasRateLimit: Number(error.rateLimit?.remaining) >= 0,
    isAborted: (await call) === enough,
  }
}
