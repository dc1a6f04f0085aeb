import { type Handlers, sampled } from '../contract/handler.ts'
import type { HandlerOptions } from '../served-api.ts'

async function* send<Item>(...items: readonly Item[]): AsyncGenerator<Item> {
  yield* items
}

export function createHandlers(_options: HandlerOptions): Handlers {
  return {
    watchWhole: (_input, { lastEventId = '0', respond }) =>
      respond(200, send({ data: `after ${lastEventId}\nb`, id: '1' }, { data: 'c', event: 'end' })),
    watchJson: (_input, { respond }) =>
      respond(200, send({ event: 'price', id: '1', data: { price: 1.5 } }, { data: { price: 2 } })),
    watchData: ({ query }, { respond }) =>
      respond(200, send({ price: query.from }, { price: query.from + 1 })),
    watchInvalid: (_input, { respond }) =>
      respond(200, send({ price: 1 }, JSON.parse('{ "price": "high" }'), { price: 3 })),
    watchSample: sampled,
  }
}
