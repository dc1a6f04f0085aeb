import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createAnimalStore } from '../../client/index.ts'
import { examples } from '../../generated/examples.ts'
import { basePath, operations } from '../../generated/operations.ts'
import { createApiKey } from '../../server/access/api-key.ts'
import { readConfig } from '../../server/config.ts'
import type { Operation } from '../../server/contract/description/operation.ts'
import { startMockService } from '../../server/mock/mock-service.ts'

/** The service of `npm run mock`, in this process. */
async function startMock(environment: Readonly<Record<string, string>> = {}) {
  const config = readConfig({ PORT: '0', ...environment })
  const { origin, stop } = await startMockService(config, pino({ level: 'silent' }))
  onTestFinished(() => stop())
  const apiKey = createApiKey()
  const send = (path: string, init: RequestInit = {}) =>
    fetch(origin + basePath + path, {
      ...init,
      headers: { Authorization: `Bearer ${apiKey}`, ...init.headers },
    })
  return { origin, apiKey, send }
}

type Shown = Readonly<Record<string, { readonly bodies: Readonly<Record<string, unknown>> }>>
const shown: Readonly<Record<string, Shown>> = examples
const all: readonly Operation[] = Object.values(operations)
const rows = all.flatMap((operation) =>
  Object.entries(shown[operation.operationId] ?? {}).flatMap(([status, { bodies }]) =>
    Object.entries(bodies).map(([example, body]) => ({ operation, status, example, body })),
  ),
)

/** A request that keeps the contract, as far as its examples tell. */
function askFor({ method, path, requestBody }: Operation, prefer: string): [string, RequestInit] {
  const body = requestBody && JSON.stringify({ name: 'Rex', categoryId: 7 })
  const type = requestBody ? { 'Content-Type': 'application/json' } : {}
  const headers = { ...type, Prefer: prefer }
  const url = path.replaceAll(/\{[^{}]+\}/g, '1')
  return [url, { method: method.toUpperCase(), headers, ...(body ? { body } : {}) }]
}

test('every example of every answer of every operation can be had', async () => {
  const { send } = await startMock()
  expect(rows.length).toBeGreaterThan(20)
  for (const { operation, status, example, body } of rows) {
    const prefer = `code=${status}, example=${example}`
    const response = await send(...askFor(operation, prefer))
    expect([prefer, response.status]).toEqual([prefer, Number(status)])
    expect(await response.json()).toEqual(body)
    expect(response.headers.get('Preference-Applied')).toBe(prefer)
  }
})

test('without a preference the first success is answered, with its headers', async () => {
  const { send } = await startMock()
  const response = await send('/pets')
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual(examples.listPets[200].bodies.page)
  expect(response.headers.get('Link')).toMatch(/rel="next"/)
  expect(response.headers.get('X-RateLimit-Limit')).toMatch(/^\d+$/)
  expect(response.headers.get('Preference-Applied')).toBeNull()
})

test('nothing is said to have happened that did not, and preferences behind a semicolon count', async () => {
  const { send } = await startMock()
  const created = await send(...askFor(operations.createPet, 'code=201; example=minimal'))
  expect(created.headers.get('Preference-Applied')).toBe('code=201, example=minimal')
  expect(await created.json()).toEqual(examples.createPet[201].bodies.minimal)
  expect(created.headers.get('Idempotent-Replayed')).toBeNull()
})

test('our client works with it, and its walk of pages ends', async () => {
  const { origin, apiKey } = await startMock()
  const store = createAnimalStore({ baseUrl: origin + basePath, apiKey })
  expect(await store.createPet({ name: 'Rex', categoryId: 7 })).toHaveProperty('id')
  const ids: number[] = []
  for await (const { id } of store.listPets({}, { maxPages: 5 })) ids.push(id)
  expect(ids).toEqual([1, 2, 1, 2])
})

test.for([
  ['code=418', /^listPets has no answer with the code "418"\. It has: 200 \(page, empty\); 400 /],
  ['example=none', /^listPets has no example "none" of its 200\. It has: 200 \(page, empty\); /],
  ['code=200; example=none', /^listPets has no example "none" of its 200\. It has: /],
  [
    'code=404 example=empty',
    /^listPets has nothing for "code=404 example=empty", which is no list /,
  ],
  [`code=${'9'.repeat(300)}`, /"9{99}…"/],
] as const)('Prefer: %s is a 400 that lists what there is', async ([prefer, message]) => {
  const { send } = await startMock()
  const response = await send('/pets', { headers: { Prefer: prefer } })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    code: 'invalid_request',
    status: 400,
    message: expect.stringMatching(message),
    details: [{ path: '/headers/prefer' }],
  })
})

test('requests are checked as they are by the service', async () => {
  const { origin, send } = await startMock()
  const statuses = [
    fetch(`${origin}${basePath}/pets`),
    send('/pets', { headers: { Authorization: 'Bearer ask_1' } }),
    send('/pets?limit=0'),
    send('/nothing'),
    send('/pets', { method: 'PUT' }),
    send('/pets', { headers: { Accept: 'text/html' } }),
    send('/pets', { method: 'POST', body: 'name=Rex' }),
  ].map(async (response) => (await response).status)
  expect(await Promise.all(statuses)).toEqual([401, 401, 400, 404, 405, 406, 415])
})

test('each key has its own limits', async () => {
  const { send } = await startMock()
  const remaining = async () => (await send('/pets')).headers.get('X-RateLimit-Remaining')
  const first = Number(await remaining())
  expect(Number(await remaining())).toBe(first - 1)
})
