import type { Handlers } from '../contract/handler.ts'
import type { HandlerOptions } from '../served-api.ts'

export function createHandlers(_options: HandlerOptions): Handlers {
  return {
    addProfile: async ({ body }, { respond }) =>
      respond(201, { id: 'id' in body ? -1 : 1, name: body.name }),
    addClosed: 'sampled',
  }
}
