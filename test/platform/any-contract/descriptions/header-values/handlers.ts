import type { Handlers } from '../contract/handler.ts'
import type { HandlerOptions } from '../served-api.ts'

export function createHandlers(_options: HandlerOptions): Handlers {
  return {
    listProbes: async ({ headers }, { respond }) =>
      respond(200, {
        ids: headers['X-Ids'],
        range: headers['X-Range'],
        options: headers['X-Options'],
        level: headers['X-Level'],
      }),
  }
}
