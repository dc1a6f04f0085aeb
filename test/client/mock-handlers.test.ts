import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createStandIn } from '../../client/testing/index.ts'
import { examples } from '../../generated/examples.ts'
import { baseUrl, failureOf, rex, watch } from './support/client.ts'

const mocks = createStandIn(`${baseUrl}/`)
const server = setupServer(...mocks.handlers)
const { store } = watch((request) => fetch(request))

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
