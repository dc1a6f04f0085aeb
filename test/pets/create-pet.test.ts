import { expect, test } from 'vitest'
import { startTestService } from '../helpers/service.ts'
import { leastId, longestName, mostId, petStatuses } from './support/contract.ts'
import { count, post } from './support/pets.ts'

test.each(petStatuses)(
  'the response has the id and every field of the request: %s',
  async (status) => {
    const { client } = await startTestService()
    const sent = { name: 'Rex', categoryId: 7, status }
    expect(await client.createPet(sent)).toEqual({ id: 1, ...sent })
    expect(await client.createPet(sent)).toEqual({ id: 2, ...sent })
  },
)

test('a status that was not sent is absent from every response', async () => {
  const { client } = await startTestService()
  const pet = await client.createPet({ name: 'Mia', categoryId: 3 })
  expect(pet).toEqual({ id: 1, name: 'Mia', categoryId: 3 })
  expect(await client.getPet(1)).toEqual(pet)
  expect(await client.listPets()).toEqual([pet])
})

test.each([leastId, -1, 0, mostId])('categoryId %i is kept unchanged', async (categoryId) => {
  const { client } = await startTestService()
  expect((await client.createPet({ name: 'a', categoryId })).categoryId).toBe(categoryId)
  expect((await client.getPet(1)).categoryId).toBe(categoryId)
})

test.each([
  ['{}', ['/body/categoryId', '/body/name']],
  ['{"name":"a"}', ['/body/categoryId']],
  ['{"categoryId":1}', ['/body/name']],
  ['null', ['/body']],
  ['[]', ['/body']],
  ['"name"', ['/body']],
  ['1', ['/body']],
  ['true', ['/body']],
  ['{"name":1,"categoryId":1}', ['/body/name']],
  ['{"name":null,"categoryId":1}', ['/body/name']],
  ['{"name":"","categoryId":1}', ['/body/name']],
  ['{"name":"\\u0000","categoryId":1}', ['/body/name']],
  [`{"name":"${'a'.repeat(longestName + 1)}","categoryId":1}`, ['/body/name']],
  ['{"name":"a","categoryId":"1"}', ['/body/categoryId']],
  ['{"name":"a","categoryId":1.5}', ['/body/categoryId']],
  [`{"name":"a","categoryId":${BigInt(mostId) + 1n}}`, ['/body/categoryId']],
  [`{"name":"a","categoryId":${BigInt(leastId) - 1n}}`, ['/body/categoryId']],
  ['{"name":"a","categoryId":true}', ['/body/categoryId']],
  ['{"name":"a","categoryId":1,"status":"lost"}', ['/body/status']],
  ['{"name":"a","categoryId":1,"status":null}', ['/body/status']],
  ['{"name":"a","categoryId":1,"id":5}', ['/body/id']],
  ['{"name":"a","categoryId":1,"a/b~c":5}', ['/body/a~1b~0c']],
  ['{"name":"a","categoryId":1,"__proto__":{}}', ['/body/__proto__']],
  ['{"name":"a","categoryId":1,"":5}', ['/body/']],
  [
    '{"name":1,"categoryId":"1","status":1,"x":1}',
    ['/body/categoryId', '/body/name', '/body/status', '/body/x'],
  ],
])('%s is rejected at %j, and nothing is stored', async (body, paths) => {
  const service = await startTestService()
  const response = await post(service, body)
  expect(response.status).toBe(400)
  const { code, status, details } = await response.json()
  expect({ code, status }).toEqual({ code: 'invalid_request', status: 400 })
  const found = details.map(({ path }: { path: string }) => path)
  expect([...new Set(found)].sort()).toEqual(paths)
  expect(await count(service)).toBe(0)
})

test.each([
  ['', 'invalid_request'],
  ['   ', 'malformed_json'],
  ['{"name":"a","categoryId":1', 'malformed_json'],
  ['{"name":"a","name":"b","categoryId":1}', 'malformed_json'],
  ['{"name":"a","categoryId":9007199254740993}', 'malformed_json'],
  ['{"name":"\\uD800","categoryId":1}', 'malformed_json'],
  ['\uFEFF{"name":"a","categoryId":1}', 'malformed_json'],
  [`${'['.repeat(33)}${']'.repeat(33)}`, 'malformed_json'],
])('the body %j is rejected with code %s', async (body, code) => {
  const service = await startTestService()
  const response = await post(service, body)
  expect(response.status).toBe(400)
  const error = await response.json()
  expect(error).toMatchObject({ code, status: 400 })
  expect(error.details).toHaveLength(1)
  expect(await count(service)).toBe(0)
})

test('numbers mean their value, however they are written', async () => {
  const service = await startTestService()
  for (const [literal, value] of [
    ['5.0', 5],
    ['1e2', 100],
    ['-0', 0],
  ] as const) {
    const response = await post(service, `{"name":"a","categoryId":${literal}}`)
    expect(await response.json()).toMatchObject({ categoryId: value })
  }
})
