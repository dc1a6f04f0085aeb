import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createMockHandlers } from '../../../client/testing.ts'
import { examples } from '../../../generated/examples.ts'
import { baseUrl, failureOf, recordClient, rex } from './support/client.ts'

const server = setupServer(...createMockHandlers(`${baseUrl}/`))
const { store } = recordClient((request) => fetch(request))

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

/** Returns the first example of a status, whatever its name is in the spec. */
function firstOf<Body>({ bodies }: { readonly bodies: Readonly<Record<string, Body>> }) {
  return Object.values(bodies)[0]
}

test('every operation responds with the first example of its success', async () => {
  expect([...(await store.listPets())]).toEqual(firstOf(examples.listPets[200]))
  expect(await store.createPet(rex)).toEqual(firstOf(examples.createPet[201]))
  expect(await store.getPet(1)).toEqual(firstOf(examples.getPet[200]))
})

test('an example of any status is chosen by its name, or is the first', async () => {
  const { bodies, headers } = examples.listPets[429]
  for (const [example, body] of [...Object.entries(bodies), [undefined, firstOf({ bodies })]]) {
    const listPets = { status: 429, example }
    server.use(...Reflect.apply(createMockHandlers, undefined, [baseUrl, { listPets }]))
    expect(await failureOf(store.listPets())).toMatchObject({
      ...Object(body),
      retryAfter: Number(headers['Retry-After']),
      rateLimit: { limit: Number(headers['X-RateLimit-Limit']) },
    })
  }
  expect(await store.getPet(1)).toEqual(firstOf(examples.getPet[200]))
})

test('a handler may respond with a body and headers of its own', async () => {
  const body = { id: 5, name: 'Mia', categoryId: 3 }
  const headers = { Link: `<${baseUrl}/pets?cursor=abc>; rel="next"` }
  const listPets = { status: 200 as const, body: [], headers }
  server.use(...createMockHandlers(baseUrl, { getPet: { status: 200, body }, listPets }))
  expect(await store.getPet(5)).toEqual(body)
  expect((await store.listPets()).next).toEqual({ cursor: 'abc' })
})

test.each([
  [{ listPetz: { status: 200 } }, 'The API has no operation listPetz. Allowed: listPets, '],
  [{ getPet: { status: 418 } }, 'getPet has no status 418. Allowed: 200, '],
  [{ getPet: { status: 200, example: 'none' } }, 'getPet 200 has no example none. Allowed: '],
  [{ getPet: { exmaple: 'none' } }, 'getPet has no option exmaple. Allowed: status, example, '],
])('a response that is not of the contract is a TypeError: %j', (responses, message) => {
  const create = () => Reflect.apply(createMockHandlers, undefined, [baseUrl, responses])
  expect(create).toThrow(TypeError)
  expect(create).toThrow(message)
})
