import { client } from './api.ts'
import type { Payment, Webhooks } from './generated/calls.ts'
import type { webhooks } from './generated/openapi.d.ts'

client.addOrder({ url: 'a', secret: 'b' })

type Sent = Webhooks['orderSent']['body']
export const sent: Sent = { id: 'a', url: 'b' }
// @ts-expect-error the API sends its id
export const withoutId: Sent = { url: 'b' }
export const secret = (order: Sent) => {
  // @ts-expect-error the API does not send it
  return order.secret
}

type Paid = Webhooks['addOrder.onPaid']
export const payment: Payment = { cents: 1 } satisfies Paid['body']
export const response: Paid['responses'][200] = { retry: true }
export const none: Webhooks['orderSent']['responses'][204] = undefined
// @ts-expect-error it is a number
export const wrong: Paid['body'] = { cents: 'a' }

export type Post = webhooks['addOrder.onPaid']['post']
// @ts-expect-error there is no such webhook
export type Unknown = Webhooks['orderLost']
