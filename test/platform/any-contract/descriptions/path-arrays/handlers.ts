import type { Handlers } from '../contract/handler.ts'
import type { HandlerOptions } from '../served-api.ts'

export function createHandlers(_options: HandlerOptions): Handlers {
  return {
    getItems: async ({ path }, { respond }) => respond(200, [...path.ids]),
    getNumbers: async ({ path }, { respond }) => respond(200, [...path.ids]),
  }
}
