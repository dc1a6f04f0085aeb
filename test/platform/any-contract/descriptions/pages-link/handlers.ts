import type { Handlers } from '../contract/handler.ts'
import type { HandlerOptions } from '../served-api.ts'

export function createHandlers(_options: HandlerOptions): Handlers {
  return {
    listVotes: async ({ query: { after = 0 } }, { respond }) =>
      respond(200, [after + 1], { Link: `</v1/votes?after=${after + 1}>; rel="next"` }),
  }
}
