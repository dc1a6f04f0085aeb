import { expect, test } from 'vitest'
import { startTestService, type TestService } from '../support/service.ts'

async function walk({ send }: TestService, first: string, onPage?: () => Promise<void>) {
  const pages: { id: number }[][] = []
  for (let next: string | undefined = first; next !== undefined; ) {
    const response = await send(next)
    expect(response.status).toBe(200)
    pages.push(await response.json())
    next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]
    await onPage?.()
  }
  return pages
}

async function fill({ client }: TestService, count: number): Promise<void> {
  const states = ['available', 'sold'] as const
  for (let number = 0; number < count; number++) {
    const status = states[number % 2] ?? 'sold'
    await client.createPet({ name: `animal ${number}`, categoryId: 1, status })
  }
}

test('following the next links shows every animal once, and the last page has no link', async () => {
  const service = await startTestService()
  await fill(service, 25)
  const pages = await walk(service, '/v1/pets?limit=10')
  expect(pages.map((page) => page.length)).toEqual([10, 10, 5])
  expect(pages.flat().map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, at) => at + 1))
})

test('a full last page has no link', async () => {
  const service = await startTestService()
  await fill(service, 20)
  expect(await walk(service, '/v1/pets?limit=10')).toHaveLength(2)
})

test('the next link keeps the limit and the status, in the order limit, status, cursor', async () => {
  const service = await startTestService()
  await fill(service, 6)
  const response = await service.send('/v1/pets?status=sold&limit=2')
  const link = response.headers.get('link') ?? ''
  expect(link).toMatch(/^<\/v1\/pets\?limit=2&status=sold&cursor=[\w-]+>; rel="next"$/)
  const pages = await walk(service, '/v1/pets?status=sold&limit=2')
  expect(pages.flat()).toHaveLength(3)
})

test('a walk among additions shows every animal that was there at its start exactly once', async () => {
  const service = await startTestService()
  await fill(service, 30)
  const pages = await walk(service, '/v1/pets?limit=7', async () => {
    if ((await service.client.listPets({ limit: 100 })).length < 60) await fill(service, 3)
  })
  const ids = pages.flat().map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.slice(0, 30)).toEqual(Array.from({ length: 30 }, (_, at) => at + 1))
})

test('a cursor may change its limit but not its status, and cannot be forged', async () => {
  const service = await startTestService()
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

test('a cursor outlives a restart and works on another instance of the store', async () => {
  const first = await startTestService()
  await fill(first, 4)
  const link = (await first.send('/v1/pets?limit=2')).headers.get('link') ?? ''
  const next = /<([^>]+)>/.exec(link)?.[1] ?? ''
  const second = await startTestService({}, first.place)
  const response = await second.send(next)
  expect((await response.json()).map(({ id }: { id: number }) => id)).toEqual([3, 4])
})
