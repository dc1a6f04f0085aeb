import type { Handlers } from '../contract/handler.ts'
import type { HandlerOptions } from '../served-api.ts'

export function createHandlers(_options: HandlerOptions): Handlers {
  return {
    addOrder: ({ body }, { respond }) => respond(200, { ...body, next: body.count + 1 }),
  }
}
