import type { Handlers } from '../contract/handler.ts'
import type { HandlerOptions } from '../served-api.ts'

export function createHandlers(_options: HandlerOptions): Handlers {
  return {
    listGauges: async (_input, { respond }) =>
      respond(200, [1], {
        'X-Total': 1,
        'X-Ratio': 0.5,
        'X-Last': true,
        'X-Tags': ['a', 'b'],
        'X-Range': { from: 1, to: 2 },
        ETag: '"a"',
      }),
  }
}
