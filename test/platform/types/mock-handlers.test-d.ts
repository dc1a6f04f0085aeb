import type { HttpHandler } from 'msw'
import { setupServer } from 'msw/node'
import { createMockHandlers, type MockResponses } from '../../../client/testing.ts'

const baseUrl = 'https://host.example/v1'
const responses: MockResponses = {
  listPets: { status: 200, body: [], headers: { 'X-Extra': '1' } },
  createPet: { status: 201, example: 'minimal' },
  getPet: { status: 200, body: { id: 5, name: 'Mia', categoryId: 3 } },
}
export const handlers: readonly HttpHandler[] = createMockHandlers(baseUrl, responses)
setupServer(...handlers).use(...createMockHandlers(baseUrl))

// @ts-expect-error getPet has no status 418
createMockHandlers(baseUrl, { getPet: { status: 418 } })
// @ts-expect-error listPets has no example of that name
createMockHandlers(baseUrl, { listPets: { status: 200, example: 'no such example' } })
// @ts-expect-error 422 has no example of that name
createMockHandlers(baseUrl, { createPet: { status: 422, example: 'minimal' } })
// @ts-expect-error a pet has a category
createMockHandlers(baseUrl, { getPet: { status: 200, body: { id: 5, name: 'Mia' } } })
// @ts-expect-error there is no such operation
createMockHandlers(baseUrl, { noSuchOperation: { status: 200 } })
