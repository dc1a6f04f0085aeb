import { expect, test } from 'vitest'
import { startTestService } from '../helpers/service.ts'
import { leastId, longestName, mostId, petStatuses } from './support/contract.ts'
import { count, post } from './support/pets.ts'

test('the response has the next id and every field of the request, and no other', async () => {
  const { client } = await startTestService()
  const sent = [
    ...petStatuses.map((status) => ({ name: 'Rex', categoryId: 7, status })),
    ...[leastId, -1, 0, mostId].map((categoryId) => ({ name: 'Mia', categoryId })),
  ]
  for (const [index, pet] of sent.entries()) {
    const id = index + 1
    expect(await client.createPet(pet)).toEqual({ id, ...pet })
    expect(await client.getPet(id)).toEqual({ id, ...pet })
  }
  expect(await client.listPets()).toEqual(sent.map((pet, index) => ({ id: index + 1, ...pet })))
})

test('a rejected body is named at every place that is wrong, and nothing is stored', async () => {
  const service = await startTestService()
  const rows = [
    ['', 'invalid_request', ['/body']],
    ['{}', 'invalid_request', ['/body/categoryId', '/body/name']],
    ['{"name":"\\u0000","categoryId":1}', 'invalid_request', ['/body/name']],
    [`{"name":"${'a'.repeat(longestName + 1)}","categoryId":1}`, 'invalid_request', ['/body/name']],
    [`{"name":"a","categoryId":${BigInt(mostId) + 1n}}`, 'invalid_request', ['/body/categoryId']],
    [`{"name":"a","categoryId":${BigInt(leastId) - 1n}}`, 'invalid_request', ['/body/categoryId']],
    ['{"name":"a","categoryId":1,"id":5}', 'invalid_request', ['/body/id']],
    ['{"name":"a","categoryId":1,"a/b~c":5}', 'invalid_request', ['/body/a~1b~0c']],
    ['{"name":"a","categoryId":1,"__proto__":{}}', 'invalid_request', ['/body/__proto__']],
    [
      '{"name":1,"categoryId":"1","status":1,"x":1}',
      'invalid_request',
      ['/body/categoryId', '/body/name', '/body/status', '/body/x'],
    ],
    ['{"name":"a","name":"b","categoryId":1}', 'malformed_json', ['/body']],
    ['{"name":"a","categoryId":9007199254740993}', 'malformed_json', ['/body']],
    ['{"name":"\\uD800","categoryId":1}', 'malformed_json', ['/body']],
  ] as const
  for (const [body, code, paths] of rows) {
    const response = await post(service, body)
    const { details, ...error } = await response.json()
    expect([response.status, error], body).toMatchObject([400, { code, status: 400 }])
    const found = details.map(({ path }: { path: string }) => path)
    expect([...new Set(found)].sort(), body).toEqual(paths)
  }
  expect(await count(service)).toBe(0)
})
