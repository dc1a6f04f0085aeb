import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createAnimalStore } from '../../client/index.ts'
import { createStandIn } from '../../client/testing/index.ts'
import { examples } from '../../generated/examples.ts'
import { failureOf } from './support/watched-store.ts'

const baseUrl = 'https://animals.example/v1'
const mocks = createStandIn(baseUrl)
const server = setupServer(...mocks.handlers)
const store = createAnimalStore({
  baseUrl,
  apiKey: 'ask_test',
  retry: false,
  onDeprecation: () => undefined,
})

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

/** Returns the first example of a status, whatever its name is in the spec. */
function firstOf<Body>({ bodies }: { readonly bodies: Readonly<Record<string, Body>> }) {
  const [first] = Object.entries(bodies)
  if (first === undefined) throw new Error('The contract has no example.')
  return first
}

test('every operation responds with the first example of its success', async () => {
  expect([...(await store.listPets())]).toEqual(firstOf(examples.listPets[200])[1])
  const created = await store.createPet({ name: 'Rex', categoryId: 7 })
  expect(created).toEqual(firstOf(examples.createPet[201])[1])
  expect(await store.getPet(1)).toEqual(firstOf(examples.getPet[200])[1])
})

test('an example of any status is chosen by its name', async () => {
  const { bodies, headers } = examples.listPets[429]
  for (const [name, body] of Object.entries(bodies)) {
    server.use(Reflect.apply(mocks.listPets.answers, mocks, [429, name]))
    expect(await failureOf(store.listPets())).toMatchObject({
      ...body,
      retryAfter: Number(headers['Retry-After']),
      rateLimit: { limit: Number(headers['X-RateLimit-Limit']) },
    })
  }
})

test('a handler may respond with a body and headers of its own', async () => {
  const body = { id: 5, name: 'Mia', categoryId: 3 }
  server.use(mocks.getPet.answers(200, { body }))
  expect(await store.getPet(5)).toEqual(body)
  const next = { Link: `<${baseUrl}/pets?cursor=abc>; rel="next"` }
  server.use(mocks.listPets.answers(200, { body: [], headers: next }))
  expect((await store.listPets()).next).toEqual({ cursor: 'abc' })
})

test('what is not in the contract does not compile', () => {
  // @ts-expect-error getPet has no status 418
  mocks.getPet.answers(418)
  // @ts-expect-error listPets has no example of that name
  mocks.listPets.answers(200, 'full')
  // @ts-expect-error an animal has a category
  mocks.getPet.answers(200, { body: { id: 5, name: 'Mia' } })
  // @ts-expect-error there is no such operation
  expect(mocks.killPet).toBeUndefined()
})
