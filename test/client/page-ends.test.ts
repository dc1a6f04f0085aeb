import { expect, test } from 'vitest'
import { AnimalStoreError, type PagedList } from '../../client/index.ts'
import { type Answering, json, watch } from './support/watched-store.ts'

// Two animals a page, and no last page.
const endless: Answering = (_, number) => {
  const ids = [2 * number - 1, 2 * number]
  const headers = { Link: `</v1/pets?cursor=c${number}>; rel="next"` }
  return json(
    ids.map((id) => ({ id, name: 'Rex', categoryId: 7 })),
    { headers },
  )
}

/** Walks until it ends; gives what came and what was thrown. */
async function walk(
  items: PagedList<{ id: number }, unknown>,
  onItem: (id: number) => void = () => undefined,
) {
  const ids: number[] = []
  try {
    for await (const { id } of items) {
      ids.push(id)
      onItem(id)
    }
  } catch (error) {
    return { ids, error }
  }
  return { ids }
}

test('maxPages ends a walk with an error, after everything up to it', async () => {
  const { store, requests } = watch(endless)
  const { ids, error } = await walk(store.listPets({}, { maxPages: 3 }))
  expect(ids).toEqual([1, 2, 3, 4, 5, 6])
  expect(requests).toHaveLength(3)
  expect(error).toBeInstanceOf(AnimalStoreError)
  expect(error).toMatchObject({ code: 'too_many_pages', operationId: 'listPets' })
})

test('a walk of exactly maxPages pages ends without an error', async () => {
  const { store } = watch((request, number) => (number < 3 ? endless(request, number) : json([])))
  expect(await walk(store.listPets({}, { maxPages: 3 }))).toEqual({ ids: [1, 2, 3, 4] })
})

test('an abort between two animals ends the walk with its reason, before the next one', async () => {
  const { store, requests } = watch(endless)
  const controller = new AbortController()
  const reason = new Error('enough')
  const { ids, error } = await walk(store.listPets({}, { signal: controller.signal }), (id) => {
    if (id === 3) controller.abort(reason)
  })
  expect(ids).toEqual([1, 2, 3])
  expect(error).toBe(reason)
  expect(requests).toHaveLength(2)
})

test('an abort between two pages ends the walk with its reason, and nothing more is sent', async () => {
  const { store, requests } = watch(endless)
  const controller = new AbortController()
  const pages = store.listPets({}, { signal: controller.signal }).pages()
  await pages.next()
  controller.abort('enough')
  await expect(pages.next()).rejects.toBe('enough')
  expect(await pages.next()).toEqual({ done: true, value: undefined })
  expect(requests).toHaveLength(1)
})

test('a list that was awaited before the abort cannot be walked after it', async () => {
  const { store, requests } = watch(endless)
  const controller = new AbortController()
  const list = store.listPets({}, { signal: controller.signal })
  await list
  controller.abort('enough')
  await expect(list.pages().next()).rejects.toBe('enough')
  expect(await walk(list)).toEqual({ ids: [], error: 'enough' })
  expect(requests).toHaveLength(1)
})

test('an abort in the middle of a request ends the walk with its reason, and that request', async () => {
  const controller = new AbortController()
  const { store, requests } = watch((request, number) => {
    if (number < 2) return endless(request, number)
    controller.abort('enough')
    // Never answered: the walk ends all the same.
    return new Promise<Response>(() => undefined)
  })
  const { ids, error } = await walk(store.listPets({}, { signal: controller.signal }))
  expect({ ids, error }).toEqual({ ids: [1, 2], error: 'enough' })
  expect(requests[1]?.signal.aborted).toBe(true)
})

test('with a signal that is aborted already nothing is sent', async () => {
  const { store, requests } = watch(endless)
  const { ids, error } = await walk(store.listPets({}, { signal: AbortSignal.abort('before') }))
  expect({ ids, error }).toEqual({ ids: [], error: 'before' })
  expect(requests).toHaveLength(0)
})

test('a failure on the third page keeps what came, and says what failed', async () => {
  const body = { code: 'internal_error', message: 'The service failed to answer.', status: 500 }
  const { store } = watch((request, number) =>
    number < 3 ? endless(request, number) : json(body, { status: 500 }),
  )
  const { ids, error } = await walk(store.listPets())
  expect(ids).toEqual([1, 2, 3, 4])
  expect(error).toBeInstanceOf(AnimalStoreError)
  expect(error).toMatchObject({ code: 'internal_error', status: 500, operationId: 'listPets' })
})

test('a page that failed once is tried again, and the walk goes on from there', async () => {
  const body = { code: 'unavailable', message: 'Retry in 0 s.', status: 503 }
  let failed = false
  const { store } = watch(
    (request, number) => {
      if (number === 2 && !failed) {
        failed = true
        return json(body, { status: 503, headers: { 'Retry-After': '0' } })
      }
      return number === 4 ? json([]) : endless(request, number)
    },
    { retry: {} },
  )
  expect(await walk(store.listPets())).toEqual({ ids: [1, 2, 5, 6] })
})
