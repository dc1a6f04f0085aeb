import type { Handlers } from '../contract/handler.ts'
import type { HandlerOptions } from '../served-api.ts'

export function createHandlers(_options: HandlerOptions): Handlers {
  return {
    listAlbums: async ({ query: { offset = 0, limit = 2 } }, { respond }) =>
      respond(200, { total: 3, results: [1, 2, 3].slice(offset, offset + limit) }),
  }
}
