import { expect, test, vi } from 'vitest'
import type { AnimalStoreError } from '../../client/index.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { watchService } from './support/watched-store.ts'

/** Starts a service with some animals, of which every second one is sold. */
async function startWith(count: number): Promise<TestService> {
  const service = await startTestService()
  await fill(service, count)
  return service
}

async function fill({ client }: TestService, count: number): Promise<void> {
  for (let number = 1; number <= count; number++) {
    const status = number % 2 === 0 ? 'sold' : 'available'
    await client.createPet({ name: 'Rex', categoryId: 7, status })
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const idsOf = (animals: readonly { id: number }[]) => animals.map(({ id }) => id)

test('an awaited list is the array of its first page, and next gets the one after it', async () => {
  const { client } = await startWith(5)
  const first = await client.listPets({ limit: 3 })
  expect(Array.isArray(first)).toBe(true)
  expect(idsOf(first)).toEqual([1, 2, 3])
  expect(first.next).toEqual({ limit: 3, cursor: expect.any(String) })
  const second = await client.listPets(first.next)
  expect(idsOf(second)).toEqual([4, 5])
  expect(second.next).toBeUndefined()
})

test('a walk gives every animal that was there once and in order, while others are added', async () => {
  const service = await startWith(10)
  const ids: number[] = []
  for await (const { id } of watchService(service).store.listPets({ limit: 3 })) {
    if (ids.push(id) <= 10) await fill(service, 1)
  }
  expect(ids.slice(0, 10)).toEqual(upTo(10))
  expect(ids).toEqual(upTo(ids.length))
})

test('pages() walks page by page, and keeps the filter and the limit on each of them', async () => {
  const { store, requests } = watchService(await startWith(10))
  const pages: number[][] = []
  for await (const page of store.listPets({ limit: 2, status: 'sold' }).pages()) {
    pages.push(idsOf(page))
  }
  expect(pages).toEqual([[2, 4], [6, 8], [10]])
  const queries = requests.map(({ url }) => new URL(url).searchParams)
  expect(queries.map((query) => query.get('status'))).toEqual(['sold', 'sold', 'sold'])
  expect(queries.map((query) => query.get('limit'))).toEqual(['2', '2', '2'])
})

test('an empty list is one empty page', async () => {
  const { client } = await startTestService()
  const pages = await Array.fromAsync(client.listPets().pages())
  expect(pages.map((page) => [...page])).toEqual([[]])
  expect(await Array.fromAsync(client.listPets())).toEqual([])
})

test('whoever leaves a walk in the middle causes no further request', async () => {
  const { store, requests } = watchService(await startWith(10))
  for await (const { id } of store.listPets({ limit: 3 })) if (id === 3) break
  expect(requests).toHaveLength(1)
  for await (const _ of store.listPets({ limit: 3 }).pages()) break
  expect(requests).toHaveLength(2)
})

test('a list is asked for at once, like any call, and what its first page said is kept', async () => {
  const { store, requests } = watchService(await startWith(5))
  const list = store.listPets({ limit: 3 })
  const walk = list.pages()
  await expect.poll(() => requests).toHaveLength(1)
  expect(idsOf(await list)).toEqual([1, 2, 3])
  expect(await list).toBe(await list)
  await walk.next()
  expect(requests).toHaveLength(1)
  expect(idsOf(await Array.fromAsync(list))).toEqual(upTo(5))
  expect(requests).toHaveLength(2)
})

test('catch and finally behave like those of a promise', async () => {
  const { client } = await startWith(1)
  const after = vi.fn()
  expect(idsOf(await client.listPets().finally(after))).toEqual([1])
  expect(await client.listPets().catch(() => 'refused')).toHaveLength(1)
  const tooMany = client.listPets({ limit: 101 })
  expect(await tooMany.catch(({ code }: AnimalStoreError) => code)).toBe('invalid_request')
  await expect(tooMany.finally(after)).rejects.toThrow('The request breaks the contract')
  expect(after).toHaveBeenCalledTimes(2)
})

test('lists can be awaited together, and returned from an async function', async () => {
  const { client } = await startWith(4)
  const lists = [client.listPets({ status: 'sold' }), client.listPets({ status: 'available' })]
  expect((await Promise.all(lists)).map(idsOf)).toEqual([
    [2, 4],
    [1, 3],
  ])
  const returned = async () => client.listPets({ limit: 1 })
  expect(idsOf(await returned())).toEqual([1])
})

test('two walks of one list at once both give everything', async () => {
  const { client } = await startWith(5)
  const list = client.listPets({ limit: 2 })
  const walks = await Promise.all([Array.fromAsync(list), Array.fromAsync(list)])
  expect(walks.map(idsOf)).toEqual([upTo(5), upTo(5)])
})
