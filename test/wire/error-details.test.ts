import { expect, test } from 'vitest'
import { startTestService, type TestService } from '../support/service.ts'

function post({ send, apiKey }: TestService, body: string, query = '') {
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
  return send(`/v1/pets${query}`, { method: 'POST', body, headers })
}

async function detailsOf(response: Response): Promise<{ path: string; message: string }[]> {
  expect(response.status).toBe(400)
  const { details } = await response.json()
  return details
}

const name = 'a'.repeat(1_001)

test.each([
  ['{}', { '/body/name': 'is missing', '/body/categoryId': 'is missing' }],
  ['[]', { '/body': 'must be an object' }],
  ['{"name":1,"categoryId":1}', { '/body/name': 'must be a string' }],
  ['{"name":"","categoryId":1}', { '/body/name': 'must have at least 1 character' }],
  [`{"name":"${name}","categoryId":1}`, { '/body/name': 'must have at most 1000 characters' }],
  [
    '{"name":"\\u0000","categoryId":1}',
    { '/body/name': 'must match the pattern that the contract gives' },
  ],
  [
    '{"name":"a","categoryId":1,"status":"lost"}',
    { '/body/status': 'must be one of available, pending, sold' },
  ],
  ['{"name":"a","categoryId":1.5}', { '/body/categoryId': 'must be an integer' }],
  ['{"name":"a","categoryId":"1"}', { '/body/categoryId': 'must be an integer' }],
  ['{"name":"a","categoryId":1e300}', { '/body/categoryId': 'must be at most 9007199254740991' }],
  [
    '{"name":"a","categoryId":-1e300}',
    { '/body/categoryId': 'must be at least -9007199254740991' },
  ],
  ['{"name":"a","categoryId":1,"a/b~c":1}', { '/body/a~1b~0c': 'is not a known field' }],
])('%s is told what is wrong, each fault once and in plain words', async (body, expected) => {
  const details = await detailsOf(await post(await startTestService(), body))
  const paths = Object.entries(expected).map(([path, message]) => ({ path, message }))
  expect(details).toHaveLength(paths.length)
  expect(details).toEqual(expect.arrayContaining(paths))
})

test('parameters are told in the same words', async () => {
  const { send } = await startTestService()
  const asked = await send('/v1/pets?limit=101&status=lost')
  expect(await detailsOf(asked)).toEqual([
    { path: '/query/limit', message: 'must be at most 100' },
    { path: '/query/status', message: 'must be one of available, pending, sold' },
  ])
})

test('names that nobody knows are repeated up to 100 characters over the whole error', async () => {
  const service = await startTestService()
  const letters = (length: number) =>
    Object.fromEntries(Array.from({ length }, (_, at) => [`${'§'.repeat(9)}${at}`, '1']))
  const foxes = { ['🦊'.repeat(40)]: 1, ['🦊/~'.repeat(40)]: 2, ['🦊'.repeat(3)]: 3 }
  for (const fields of [letters(60), letters(3_000), foxes, { ...letters(9), name: 1 }]) {
    const query = `?${new URLSearchParams(letters(20))}`
    for (const response of [
      await post(service, JSON.stringify(fields)),
      await post(service, '{}', query),
      await post(service, JSON.stringify(fields), query),
    ]) {
      const text = await response.text()
      const { details } = JSON.parse(text)
      expect(text.match(/[§🦊]/gu)?.length).toBeLessThanOrEqual(100)
      expect(text.isWellFormed()).toBe(true)
      expect(details.length).toBeLessThanOrEqual(100)
      const known = details.some(({ path }: { path: string }) => path === '/body/name')
      expect(known).toBe(true)
    }
  }
})
