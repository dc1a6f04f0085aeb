import { type AnswerOf, createStandIn, type StandIn } from 'animal-store-client/testing'
import { setupServer } from 'msw/node'

export const standIn: StandIn = createStandIn('https://host.example/v1')
export const server = setupServer(...standIn.handlers)
const named: AnswerOf<'listPets', 200> = 'empty'
server.use(standIn.listPets.answers(200, named), standIn.getPet.succeeds)
server.use(standIn.getPet.answers(200, { body: { id: 5, name: 'Mia', categoryId: 3 } }))
// @ts-expect-error getPet has no status 418
standIn.getPet.answers(418)
// @ts-expect-error listPets has no example of that name
standIn.listPets.answers(200, 'full')
