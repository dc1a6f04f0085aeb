import type { Handlers } from '../contract/handler.ts'
import type { HandlerOptions } from '../served-api.ts'

export function createHandlers(_options: HandlerOptions): Handlers {
  return {
    addAccount: async (_input, { respond }) =>
      respond(409, { code: 'mail_taken', text: 'This address has an account.' }),
  }
}
