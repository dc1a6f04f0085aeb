import { type AnswerOf, createStandIn, type StandIn } from 'animal-store-client/testing'
import { setupServer } from 'msw/node'

export const mocks: StandIn = createStandIn('https://host.example/v1')
export const server = setupServer(...mocks.handlers)
const body: AnswerOf<'listPets', 200> = { body: [] }
server.use(mocks.listPets.answers(200, body), mocks.getPet.succeeds)
server.use(mocks.getPet.answers(200, { body: { id: 5, name: 'Mia', categoryId: 3 } }))
// @ts-expect-error getPet has no status 418
mocks.getPet.answers(418)
// @ts-expect-error listPets has no example of that name
mocks.listPets.answers(200, 'no such example')
