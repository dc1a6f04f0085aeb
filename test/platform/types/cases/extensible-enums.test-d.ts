import { client, type Handler } from './api.ts'
import type { Order, Status } from './generated/calls.ts'

export const status: Status = 'returned'
export const order: Order = {
  status: 'open',
  level: 2,
  tags: ['new', 'old'],
  notes: { a: 'long' },
  colour: 'blue',
  size: 'large',
}
client.addOrder({ status: 'lost', level: -1, tags: ['old'], notes: {}, colour: 'red', size: null })
export const handler: Handler<'addOrder'> = ({ body }, { respond }) =>
  respond(200, { ...body, tags: [...body.tags, 'old'] })
export const level = (one: Order): number => one.level

// @ts-expect-error a level is a number
client.addOrder({ ...order, level: '1' })
// @ts-expect-error a tag is a text
client.addOrder({ ...order, tags: [1] })
// @ts-expect-error a colour is a text
client.addOrder({ ...order, colour: 1 })
