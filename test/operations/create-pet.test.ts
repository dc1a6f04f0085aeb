import { expect, test } from 'vitest'
import { startTestService, type TestService } from '../support/service.ts'

function post({ send, apiKey }: TestService, body: BodyInit, headers: Record<string, string> = {}) {
  const usual = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
  return send('/v1/pets', { method: 'POST', body, headers: { ...usual, ...headers } })
}

async function isEmpty({ client }: TestService): Promise<boolean> {
  return (await client.listPets()).length === 0
}

test('an animal is answered with its id and every field that was sent', async () => {
  const { client } = await startTestService()
  const sent = { name: 'Rex', categoryId: 7, status: 'available' } as const
  expect(await client.createPet(sent)).toEqual({ id: 1, ...sent })
  expect(await client.createPet(sent)).toEqual({ id: 2, ...sent })
})

test('a status that is not sent is absent, in the answer and ever after', async () => {
  const { client } = await startTestService()
  const animal = await client.createPet({ name: 'Mia', categoryId: 3 })
  expect(animal).toEqual({ id: 1, name: 'Mia', categoryId: 3 })
  expect(await client.getPet(1)).toEqual(animal)
  expect(await client.listPets()).toEqual([animal])
})

test.each([
  ' leading and trailing ',
  'é is not é',
  '🐕‍🦺',
  '\uFDD0\uFFFF',
  'tab\tnewline\nquote"backslash\\',
  "Robert'); DROP TABLE animals;--",
  '🐾'.repeat(1_000),
  '\u0001',
])('the name %j comes back as it was sent', async (name) => {
  const { client } = await startTestService()
  expect((await client.createPet({ name, categoryId: 1 })).name).toBe(name)
  expect((await client.getPet(1)).name).toBe(name)
})

test.each([-9007199254740991, -1, 0, 9007199254740991])(
  'categoryId %i comes back as it was sent',
  async (categoryId) => {
    const { client } = await startTestService()
    expect((await client.createPet({ name: 'a', categoryId })).categoryId).toBe(categoryId)
    expect((await client.getPet(1)).categoryId).toBe(categoryId)
  },
)

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
  [`{"name":"${'a'.repeat(1_001)}","categoryId":1}`, ['/body/name']],
  ['{"name":"a","categoryId":"1"}', ['/body/categoryId']],
  ['{"name":"a","categoryId":1.5}', ['/body/categoryId']],
  ['{"name":"a","categoryId":9007199254740992}', ['/body/categoryId']],
  ['{"name":"a","categoryId":-9007199254740992}', ['/body/categoryId']],
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
])('%s is refused at %j, and nothing is stored', async (body, paths) => {
  const service = await startTestService()
  const response = await post(service, body)
  expect(response.status).toBe(400)
  const { code, status, details } = await response.json()
  expect({ code, status }).toEqual({ code: 'invalid_request', status: 400 })
  const found = details.map(({ path }: { path: string }) => path)
  expect([...new Set(found)].sort()).toEqual(paths)
  expect(await isEmpty(service)).toBe(true)
})

test.each([
  ['', 'application/json', 'invalid_request'],
  ['   ', 'application/json', 'malformed_json'],
  ['{"name":"a","categoryId":1', 'application/json', 'malformed_json'],
  ['{"name":"a","name":"b","categoryId":1}', 'application/json', 'malformed_json'],
  ['{"name":"a","categoryId":9007199254740993}', 'application/json', 'malformed_json'],
  ['{"name":"\\uD800","categoryId":1}', 'application/json', 'malformed_json'],
  ['\uFEFF{"name":"a","categoryId":1}', 'application/json', 'malformed_json'],
  [`${'['.repeat(33)}${']'.repeat(33)}`, 'application/json', 'malformed_json'],
])('%j is refused as %s with code %s', async (body, type, code) => {
  const service = await startTestService()
  const response = await post(service, body, { 'Content-Type': type })
  expect(response.status).toBe(400)
  const error = await response.json()
  expect(error).toMatchObject({ code, status: 400 })
  expect(error.details).toHaveLength(1)
  expect(await isEmpty(service)).toBe(true)
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
