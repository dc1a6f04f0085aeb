import type { Handlers } from '../contract/handler.ts'
import type { HandlerOptions } from '../served-api.ts'

export function createHandlers(_options: HandlerOptions): Handlers {
  return {
    listLamps: async ({ query }, { respond }) => respond(200, { ...query }),
    listCompact: async ({ query }, { respond }) => respond(200, { ...query }),
  }
}
