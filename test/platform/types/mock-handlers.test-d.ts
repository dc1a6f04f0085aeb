import type { HttpHandler } from 'msw'
import { setupServer } from 'msw/node'
import { createMockHandlers, type MockResponses } from '../../fixture-api/testing.ts'

const baseUrl = 'https://host.example/v2'
const responses: MockResponses = {
  listTools: { status: 200, body: [], headers: { 'X-Extra': '1' } },
  createTool: { status: 201, example: 'drill' },
  getTool: { status: 200, body: { id: 5, kind: 'saw', name: 'Ryoba' } },
}
export const handlers: readonly HttpHandler[] = createMockHandlers(baseUrl, responses)
setupServer(...handlers).use(...createMockHandlers(baseUrl))

// @ts-expect-error getTool has no status 418
createMockHandlers(baseUrl, { getTool: { status: 418 } })
// @ts-expect-error listTools has no example of that name
createMockHandlers(baseUrl, { listTools: { status: 200, example: 'no such example' } })
// @ts-expect-error 422 has no example of that name
createMockHandlers(baseUrl, { createTool: { status: 422, example: 'drill' } })
// @ts-expect-error a tool has a kind
createMockHandlers(baseUrl, { getTool: { status: 200, body: { id: 5, name: 'Ryoba' } } })
// @ts-expect-error there is no such operation
createMockHandlers(baseUrl, { noSuchOperation: { status: 200 } })
