import { expect, test } from 'vitest'
import { maxLimit, minLimit, petStatuses, usualLimit } from './support/contract.ts'
import { type AnimalStoreService, startAnimalStore } from './support/service.ts'

async function fill({ client }: AnimalStoreService, count: number): Promise<number> {
  for (let number = 0; number < count; number++) {
    const status = number % 2 === 0 ? 'available' : 'sold'
    await client.createPet({ name: `pet ${number}`, categoryId: 1, status })
  }
  return count
}

test('a page has `limit` pets, or the default number, by ascending id', async () => {
  const service = await startAnimalStore()
  const { client } = service
  await fill(service, maxLimit + 1)
  const ids = async (limit?: number) =>
    (await client.listPets(limit === undefined ? {} : { limit })).map(({ id }) => id)
  for (const limit of [undefined, minLimit, maxLimit]) {
    const length = limit ?? usualLimit
    expect(await ids(limit)).toEqual(Array.from({ length }, (_, index) => index + 1))
  }
})

test('the status filter returns only the pets with that status', async () => {
  const { client } = await startAnimalStore()
  for (const status of petStatuses) {
    await client.createPet({ name: status, categoryId: 1, status })
  }
  await client.createPet({ name: 'without', categoryId: 1 })
  for (const status of petStatuses) {
    expect((await client.listPets({ status })).map(({ name }) => name)).toEqual([status])
  }
  expect(await client.listPets()).toHaveLength(petStatuses.length + 1)
})

test('the next links lead through every pet once; an empty or a full last page has none', async () => {
  const service = await startAnimalStore()
  const lengths = async () => {
    const pages = await Array.fromAsync(service.client.listPets({ limit: 4 }).pages())
    const ids = pages.flat().map(({ id }) => id)
    expect(ids).toEqual(ids.map((_, at) => at + 1))
    return pages.map((page) => page.length)
  }
  expect(await lengths()).toEqual([0])
  await fill(service, 8)
  expect(await lengths()).toEqual([4, 4])
  await fill(service, 2)
  expect(await lengths()).toEqual([4, 4, 2])
})

test('the next link keeps the limit and the status, in the order limit, status, cursor', async () => {
  const service = await startAnimalStore()
  await fill(service, 6)
  const response = await service.send('/v1/pets?status=sold&limit=2')
  const link = response.headers.get('link') ?? ''
  expect(link).toMatch(/^<\/v1\/pets\?limit=2&status=sold&cursor=[\w-]+>; rel="next"$/)
  const sold = service.client.listPets({ status: 'sold', limit: 2 })
  expect(await Array.fromAsync(sold)).toHaveLength(3)
})

test('pages have every pet exactly once while others are created', async () => {
  const service = await startAnimalStore()
  await fill(service, 30)
  let added = 0
  const ids: number[] = []
  for await (const page of service.client.listPets({ limit: 7 }).pages()) {
    ids.push(...page.map(({ id }) => id))
    if (added < 30) {
      added += await fill(service, 3)
    }
  }
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.slice(0, 30)).toEqual(Array.from({ length: 30 }, (_, at) => at + 1))
})

test('a cursor is valid with another limit, not with another status, and cannot be forged', async () => {
  const service = await startAnimalStore()
  await fill(service, 6)
  const response = await service.send('/v1/pets?limit=2&status=sold')
  const cursor = /cursor=([\w-]+)/.exec(response.headers.get('link') ?? '')?.[1] ?? ''
  const status = async (query: string) => (await service.send(`/v1/pets?${query}`)).status
  expect(await status(`limit=1&status=sold&cursor=${cursor}`)).toBe(200)
  expect(await status(`status=available&cursor=${cursor}`)).toBe(400)
  expect(await status(`cursor=${cursor}`)).toBe(400)
  for (let at = 0; at < cursor.length; at++) {
    const letter = cursor[at] === 'A' ? 'B' : 'A'
    const forged = cursor.slice(0, at) + letter + cursor.slice(at + 1)
    expect(await status(`status=sold&cursor=${forged}`)).toBe(400)
  }
})
