import type { HttpHandler } from 'msw'
import { setupServer } from 'msw/node'
import { type AnswerOf, createStandIn, type StandIn } from '../../client/testing/index.ts'

const mocks: StandIn = createStandIn('https://host.example/v1')
const body: AnswerOf<'listPets', 200> = { body: [] }
export const handlers: readonly HttpHandler[] = mocks.handlers
setupServer(...handlers).use(mocks.listPets.answers(200, body), mocks.getPet.succeeds)
mocks.createPet.answers(201, 'minimal')
mocks.getPet.answers(200, { body: { id: 5, name: 'Mia', categoryId: 3 } })

// @ts-expect-error getPet has no status 418
mocks.getPet.answers(418)
// @ts-expect-error listPets has no example of that name
mocks.listPets.answers(200, 'no such example')
// @ts-expect-error 422 has no example of that name
mocks.createPet.answers(422, 'minimal')
// @ts-expect-error a pet has a category
mocks.getPet.answers(200, { body: { id: 5, name: 'Mia' } })
// @ts-expect-error there is no such operation
mocks.noSuchOperation
