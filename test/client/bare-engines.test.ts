import { afterEach, expect, test, vi } from 'vitest'
import { json, watch } from './support/watched-store.ts'

afterEach(() => vi.restoreAllMocks())

test('where there is no AbortSignal.any, a signal calls a call off as well', async () => {
  const any = Object.getOwnPropertyDescriptor(AbortSignal, 'any')
  Object.defineProperty(AbortSignal, 'any', { value: undefined, configurable: true })
  try {
    const controller = new AbortController()
    const { store } = watch(() => {
      controller.abort()
      return Promise.withResolvers<Response>().promise
    })
    const { signal } = controller
    const calling = Promise.resolve(store.listPets({}, { signal }))
    await expect(calling).rejects.toMatchObject({ name: 'AbortError' })
  } finally {
    if (any !== undefined) Object.defineProperty(AbortSignal, 'any', any)
  }
})

test('an answer that has no body at all is followed by another attempt', async () => {
  const statuses: unknown[] = []
  const { store, requests } = watch(
    (_, number) => (number === 1 ? new Response(null, { status: 503 }) : json([])),
    { retry: { backoff: 0 }, onRetry: ({ status }) => statuses.push(status) },
  )
  expect(await store.listPets()).toEqual([])
  expect(requests).toHaveLength(2)
  expect(statuses).toEqual([503])
})

test('without callbacks nothing is shown', async () => {
  const error = vi.spyOn(console, 'error')
  const { store } = watch(
    (_, number) => (number === 1 ? new Response(null, { status: 503 }) : json([])),
    { retry: { backoff: 0 } },
  )
  await store.listPets()
  expect(error).not.toHaveBeenCalled()
})

test('what is no list has no pages', async () => {
  const one = watch(() => json({ id: 1, name: 'Rex', categoryId: 7 })).store.getPet(1)
  const list = watch(() => json([])).store.listPets()
  expect([one, list].map((value) => Symbol.asyncIterator in value)).toEqual([false, true])
  await Promise.all([one, list])
})
