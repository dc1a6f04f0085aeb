import { buffer } from 'node:stream/consumers'
import { type Handlers, sampled } from '../contract/handler.ts'
import type { HandlerOptions } from '../served-api.ts'

export function createHandlers(_options: HandlerOptions): Handlers {
  return {
    setImage: async ({ mediaType, body }, { respond }) =>
      respond(200, { type: mediaType, size: (await buffer(body)).length }),
    getImage: sampled,
    copyBytes: ({ body }, { respond }) => respond(200, body),
  }
}
