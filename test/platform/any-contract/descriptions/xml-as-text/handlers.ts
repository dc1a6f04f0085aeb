import { type Handlers, sampled } from '../contract/handler.ts'
import type { HandlerOptions } from '../served-api.ts'

export function createHandlers(_options: HandlerOptions): Handlers {
  return {
    getFeed: sampled,
    addEntry: ({ mediaType, body }, { respond }) =>
      respond(200, `<got type="${mediaType}">${body}</got>`),
  }
}
