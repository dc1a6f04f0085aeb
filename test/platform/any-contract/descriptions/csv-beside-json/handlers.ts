import type { Handlers } from '../contract/handler.ts'
import type { HandlerOptions } from '../served-api.ts'

export function createHandlers(_options: HandlerOptions): Handlers {
  return {
    listRows: (_input, { acceptedMediaType, respond }) =>
      acceptedMediaType === 'text/csv'
        ? respond(200, 'n\n1\n2\n', { 'Content-Type': 'text/csv' })
        : respond(200, [1, 2]),
  }
}
