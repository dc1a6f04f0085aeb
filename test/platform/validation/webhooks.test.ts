import { expect, test } from 'vitest'
import { createWebhooks, WebhookError } from '../../../server/contract/webhooks.ts'
import { readBundled } from '../../../server/description/description-reader.ts'

const event = {
  type: 'object',
  required: ['id', 'secret'],
  properties: {
    id: { type: 'integer', readOnly: true },
    secret: { type: 'string', writeOnly: true },
  },
}
const sent = (schema: object) => ({
  requestBody: { content: { 'application/json': { schema } } },
  responses: { 204: { description: 'Taken.' } },
})
const description = readBundled({
  openapi: '3.1.0',
  info: { title: 'A', version: '1.0.0' },
  paths: {
    '/a': {
      post: {
        operationId: 'addA',
        callbacks: {
          onDone: {
            '{$request.body#/url}': { post: sent({ $ref: '#/components/schemas/Event' }) },
            '{$request.body#/other}': { post: sent({ type: 'string' }) },
          },
        },
        responses: { 204: { description: 'Added.' } },
      },
    },
  },
  webhooks: { done: { post: sent({ $ref: '#/components/schemas/Event' }) } },
  components: { schemas: { Event: event } },
})

/** Checks a body of an API whose webhooks the compiler does not know. */
function check(name: string, body: unknown): unknown {
  const { check: checkBody } = createWebhooks(() => description)
  return Reflect.apply(checkBody, undefined, [name, body])
}

test.for(['done', 'addA.onDone'])('the body of %s is checked as a response is', (name) => {
  const body = { id: 1 }
  expect(check(name, body)).toBe(body)
  expect(() => check(name, { id: 'a' })).toThrow(WebhookError)
  expect(() => check(name, { id: 'a' })).toThrow(
    `The body of ${name} is not as described: /body/id must be an integer.`,
  )
  expect(() => check(name, { id: 1, secret: 'a' })).toThrow(WebhookError)
  expect(() => check(name, undefined)).toThrow(WebhookError)
})

test('the second expression of a callback is in its name, and other names are errors', () => {
  expect(check('addA.onDone {$request.body#/other}', 'a')).toBe('a')
  expect(() => check('addA.onDone {$request.body#/other}', 1)).toThrow(WebhookError)
  expect(() => check('other', 1)).toThrow('the description has no webhook or callback other')
})
