import { expect, test } from 'vitest'
import { createApiKey } from '../../server/access/api-key.ts'
import { invalidRequest } from '../../server/contract/answer/error-reply.ts'
import { Refusal } from '../../server/contract/answer/refusal.ts'
import type { AnyReply } from '../../server/contract/answer/reply.ts'
import type { Response } from '../../server/contract/exchange.ts'
import { CallerGone } from '../../server/contract/request/caller-gone.ts'
import { createErrorAnswers } from '../../server/error-answers.ts'
import { createOutages } from '../../server/ops/outages.ts'
import { StoreUnavailable } from '../../server/store/store-unavailable.ts'
import { createKeptLog } from '../support/kept-log.ts'

const key = createApiKey()

/** What an error is answered and what is logged of it; nothing is sent anywhere. */
async function answer(error: unknown) {
  const { log, logged } = createKeptLog('info')
  const replies: AnyReply[] = []
  const send = (_response: Response, reply: AnyReply) => {
    replies.push(reply)
    return undefined
  }
  const exchange = { requestId: 'request', path: `/v1/${key}`, underContract: true }
  const match = { kind: 'path-unknown' }
  // Only what an error is answered with is looked at.
  const response = { locals: { exchange: { ...exchange, match } } } as unknown as Response
  const answerError = createErrorAnswers({ send, log, outages: createOutages(log) })
  await answerError(error, response)
  return { replies, logged }
}

test('a refusal is answered as it is, and is nothing for the log', async () => {
  const { replies, logged } = await answer(invalidRequest([{ path: '/body', message: 'is wrong' }]))
  expect(replies).toMatchObject([{ status: 400, body: { code: 'invalid_request' } }])
  expect(logged).toEqual([])
})

test('what is no HTTP is nothing for the log, whatever its status', async () => {
  const refused = { status: 501, code: 'bad_request_framing' } as const
  const { replies, logged } = await answer(new Refusal(refused, 'unknown'))
  expect(replies).toMatchObject([{ status: 501 }])
  expect(logged).toEqual([])
})

test('what nobody expected is a 500 that says nothing of it, and a line that says all but keys', async () => {
  const { replies, logged } = await answer(new Error('inside'))
  expect(replies).toMatchObject([{ status: 500, body: { code: 'internal_error' } }])
  expect(JSON.stringify(replies)).not.toContain('inside')
  expect(logged).toMatchObject([
    {
      ...{ level: 'error', requestId: 'request', path: '/v1/ask_***', err: { message: 'inside' } },
      msg: 'The service failed to answer. Quote the X-Request-Id header when you ask for help.',
    },
  ])
})

test('a refusal of our own making that has no cause is logged itself', async () => {
  const { logged } = await answer(new Refusal({ status: 500, code: 'internal_error' }, 'odd'))
  expect(logged).toMatchObject([{ level: 'error', msg: 'odd', err: { message: 'odd' } }])
})

test('a store that is away is a 503 that says when to come back, and an outage', async () => {
  const { replies, logged } = await answer(new StoreUnavailable('The disk is full.'))
  expect(replies).toMatchObject([
    {
      ...{ status: 503, headers: { 'Retry-After': 1 } },
      body: { code: 'unavailable', message: 'The service cannot answer now. Retry in 1 second.' },
    },
  ])
  expect(logged).toMatchObject([{ level: 'error', requests: 1 }])
  expect(logged[0]?.['msg']).toContain('The disk is full.')
})

test('a caller that has left is answered nothing', async () => {
  expect(await answer(new CallerGone())).toEqual({ replies: [], logged: [] })
})
