import type { Handlers } from '../contract/handler.ts'
import type { HandlerOptions } from '../served-api.ts'

export function createHandlers(_options: HandlerOptions): Handlers {
  return {
    listAppointments: async ({ query }, { respond }) => {
      const id = Number(query.cursor ?? 1)
      return respond(200, { items: [{ id }], nextCursor: id < 3 ? String(id + 1) : null })
    },
  }
}
