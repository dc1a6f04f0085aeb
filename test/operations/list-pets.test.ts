import { expect, test } from 'vitest'
import { startTestService } from '../support/service.ts'

test('an empty store has an empty page and no next one', async () => {
  const { send } = await startTestService()
  const response = await send('/v1/pets')
  expect(response.status).toBe(200)
  expect(response.headers.get('link')).toBeNull()
  expect(await response.json()).toEqual([])
})

test('a page holds 20 animals unless limit says otherwise, from 1 to 100, by ascending id', async () => {
  const { client } = await startTestService()
  for (let number = 1; number <= 101; number++) {
    await client.createPet({ name: `animal ${number}`, categoryId: number })
  }
  const ids = async (limit?: number) =>
    (await client.listPets(limit === undefined ? {} : { limit })).map(({ id }) => id)
  expect(await ids()).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  expect(await ids(1)).toEqual([1])
  expect(await ids(100)).toHaveLength(100)
})

test('status keeps the animals with that status alone', async () => {
  const { client } = await startTestService()
  await client.createPet({ name: 'a', categoryId: 1, status: 'available' })
  await client.createPet({ name: 'b', categoryId: 1, status: 'pending' })
  await client.createPet({ name: 'c', categoryId: 1, status: 'sold' })
  await client.createPet({ name: 'd', categoryId: 1 })
  for (const [status, name] of [
    ['available', 'a'],
    ['pending', 'b'],
    ['sold', 'c'],
  ] as const) {
    expect((await client.listPets({ status })).map((animal) => animal.name)).toEqual([name])
  }
  expect(await client.listPets()).toHaveLength(4)
})

test.each([
  ['limit=0', '/query/limit'],
  ['limit=101', '/query/limit'],
  ['limit=-1', '/query/limit'],
  ['limit=1.5', '/query/limit'],
  ['limit=0x10', '/query/limit'],
  ['limit=1e1', '/query/limit'],
  ['limit=%2B5', '/query/limit'],
  ['limit=%2010', '/query/limit'],
  ['limit=', '/query/limit'],
  ['limit', '/query/limit'],
  ['limit=abc', '/query/limit'],
  ['limit=%ff', '/query/limit'],
  ['limit=1&limit=2', '/query/limit'],
  ['limit=99999999999999999999999999', '/query/limit'],
  ['status=lost', '/query/status'],
  ['status=Available', '/query/status'],
  ['status=sold&status=sold', '/query/status'],
  ['status=', '/query/status'],
  ['cursor=nonsense', '/query/cursor'],
  ['cursor=', '/query/cursor'],
  ['cursor=a%20b', '/query/cursor'],
  ['page=2', '/query/page'],
  ['Limit=2', '/query/Limit'],
  ['limit[]=2', '/query/limit[]'],
  ['limit[a]=2', '/query/limit[a]'],
  ['__proto__=1', '/query/__proto__'],
  ['__proto__[limit]=1', '/query/__proto__[limit]'],
  ['constructor=1', '/query/constructor'],
  ['a/b~c=1', '/query/a~1b~0c'],
  ['=1', '/query/'],
])('?%s is refused at %s', async (query, path) => {
  const { send } = await startTestService()
  const response = await send(`/v1/pets?${query}`)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    code: 'invalid_request',
    status: 400,
    details: [{ path }],
  })
})

test('every fault of a query is told at once', async () => {
  const { send } = await startTestService()
  const response = await send('/v1/pets?limit=0&status=lost&cursor=%21&page=2')
  const { details } = await response.json()
  expect(details.map(({ path }: { path: string }) => path).sort()).toEqual([
    '/query/cursor',
    '/query/limit',
    '/query/page',
    '/query/status',
  ])
})

test('plain decimal digits with leading zeros are a number', async () => {
  const { send } = await startTestService()
  expect((await send('/v1/pets?limit=007')).status).toBe(200)
  expect((await send('/v1/pets?&limit=%37&')).status).toBe(200)
})

test('a body on a GET request is not looked at', async () => {
  const { origin, apiKey } = await startTestService()
  const { request } = await import('node:http')
  const status = await new Promise((resolve, reject) => {
    const sent = request(`${origin}/v1/pets`, {
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'text/nonsense' },
    })
    sent.once('response', (response) => resolve(response.resume().statusCode))
    sent.once('error', reject)
    sent.end('{')
  })
  expect(status).toBe(200)
})
