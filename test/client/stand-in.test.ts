import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createAnimalStore } from '../../client/index.ts'
import { createStandIn } from '../../client/testing/index.ts'
import { examples } from '../../generated/examples.ts'

const baseUrl = 'https://animals.example/v1'
const standIn = createStandIn(baseUrl)
const server = setupServer(...standIn.handlers)
const store = createAnimalStore({
  baseUrl,
  apiKey: 'ask_test',
  retry: false,
  onDeprecation: () => undefined,
})

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

test('every operation answers with the first example of its success', async () => {
  expect([...(await store.listPets())]).toEqual(examples.listPets[200].bodies.page)
  expect(await store.createPet({ name: 'Rex', categoryId: 7 })).toEqual(
    examples.createPet[201].bodies.complete,
  )
  expect(await store.getPet(1)).toEqual(examples.getPet[200].bodies.complete)
})

test('an example is chosen by its name, for any status of the contract', async () => {
  server.use(standIn.listPets.answers(200, 'empty'))
  expect([...(await store.listPets())]).toEqual([])
  server.use(standIn.listPets.answers(429, 'banned'))
  await expect(store.listPets()).rejects.toMatchObject({
    code: 'api_key_banned',
    status: 429,
    retryAfter: 30,
    rateLimit: { limit: 60, remaining: 59 },
  })
})

test("an answer of one's own keeps to the types of the contract", async () => {
  server.use(standIn.getPet.answers(200, { body: { id: 5, name: 'Mia', categoryId: 3 } }))
  expect(await store.getPet(5)).toEqual({ id: 5, name: 'Mia', categoryId: 3 })
  const next = { Link: `<${baseUrl}/pets?cursor=abc>; rel="next"` }
  server.use(standIn.listPets.answers(200, { body: [], headers: next }))
  expect((await store.listPets()).next).toEqual({ cursor: 'abc' })
})

test('what the contract does not have does not compile', () => {
  // @ts-expect-error getPet has no status 418
  standIn.getPet.answers(418)
  // @ts-expect-error listPets has no example of that name
  standIn.listPets.answers(200, 'full')
  // @ts-expect-error an animal has a category
  standIn.getPet.answers(200, { body: { id: 5, name: 'Mia' } })
  // @ts-expect-error there is no such operation
  expect(standIn.killPet).toBeUndefined()
})
