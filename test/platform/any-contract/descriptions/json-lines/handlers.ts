import { type Handlers, sampled } from '../contract/handler.ts'
import type { HandlerOptions } from '../served-api.ts'

async function* count(items: number) {
  for (let n = 0; n < items; n++) {
    yield { n }
  }
}

export function createHandlers(_options: HandlerOptions): Handlers {
  return {
    exportItems: ({ query }, { respond }) => respond(200, count(query.count)),
    importItems: async ({ body }, { respond }) => {
      const numbers = (await Array.fromAsync(body)).map(({ n }) => n)
      return respond(200, numbers.length)
    },
    sampleItems: sampled,
  }
}
