import type { Handlers } from '../contract/handler.ts'
import type { HandlerOptions } from '../served-api.ts'

export function createHandlers(_options: HandlerOptions): Handlers {
  return {
    listResults: async ({ query, headers }, { respond }) =>
      respond(200, { where: query.where, context: headers['X-Context'] }),
  }
}
