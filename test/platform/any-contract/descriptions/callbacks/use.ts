import type { Webhooks } from '../client/index.ts'
import { createWebhooks, type WebhookBody } from '../server/contract/webhooks.ts'

export const sent: WebhookBody<'subscribe.onAlert'> = { level: 1 }
export const received = (alert: Webhooks['subscribe.onAlert']['body']): number | undefined =>
  alert.level
export const { check } = createWebhooks(() => {
  throw new Error('not read')
})

export const wrong = () => {
  // @ts-expect-error a level is a number
  check('subscribe.onAlert', { level: 'high' })
  // @ts-expect-error there is no such callback
  check('subscribe.onEnd', { level: 1 })
}
