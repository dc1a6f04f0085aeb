import { buffer } from 'node:stream/consumers'
import express from 'express'
import { expect, test } from 'vitest'
import { sampled } from '../../../server/contract/handler.ts'
import type { RequestSettings } from '../../../server/description/settings.ts'
import { openSocket, receive, statusesIn } from '../../helpers/raw.ts'
import { startServiceOf } from '../../helpers/service.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'
import { createSmallApi } from '../validation/support/small-api.ts'
import { serve } from './support/shop.ts'

const object = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } }
const entry = { type: 'object', properties: { id: { type: 'integer', format: 'int64' } } }
const content = {
  'application/json': { schema: entry },
  'application/x-www-form-urlencoded': { schema: object },
  'text/plain': { schema: { type: 'string', maxLength: 3 } },
  'multipart/form-data': { schema: object },
  'image/*': {},
}
const requestBody = { required: true, 'x-max-bytes': 100, content }

/** Starts a service in front of one that responds with the type and the bytes that it got. */
async function startInFrontOfEcho(
  requests: RequestSettings = {},
  environment: Readonly<Record<string, string>> = {},
) {
  const app = express().use(async (request, response) => {
    const text = (await buffer(request)).toString('latin1')
    response.json([request.get('Content-Type'), text])
  })
  const upstream = await serve(app)
  const response = { content: { 'application/json': {} } }
  const operation = {
    method: 'post',
    path: '/body',
    requestBody,
    response,
    handler: sampled,
  } as const
  const api = createSmallApi([operation], {}, '/v1', '3.1.0', { requests })
  return startServiceOf(api, { UPSTREAM_URL: upstream.url, ...environment })
}

const form = 'application/x-www-form-urlencoded'

test('bodies are forwarded as they were sent: values once they are valid, bytes and multipart as they arrive', async () => {
  const { send } = await startInFrontOfEcho()
  const rows = [
    [form, 'a=%31&b=+', 200],
    [form, 'a=x', '/body/a must be an integer in plain decimal digits'],
    [form, 'b=1', '/body/a is missing'],
    ['text/plain', 'abc', 200],
    ['text/plain', 'abcd', '/body must have at most 3 characters'],
    ['text/plain; charset=latin1', 'abc', 415],
    ['image/png', 'abcd', 200],
    ['image/png', 'a'.repeat(101), 413],
    ['multipart/form-data', 'anything', 200],
    ['audio/ogg', 'a', 415],
  ] as const
  for (const [type, body, expected] of rows) {
    const headers = { 'Content-Type': type }
    const response = await send('/v1/body', { method: 'POST', body: Buffer.from(body), headers })
    const got: UncheckedJson = await response.json()
    const what = `${type} ${body}`
    if (expected === 200) {
      expect([response.status, got], what).toEqual([200, [type, body]])
    } else if (typeof expected === 'number') {
      expect(response.status, what).toBe(expected)
    } else {
      const [{ path, message }] = got.details
      expect(`${path} ${message}`, what).toBe(expected)
    }
  }
})

test('a client that waits for 100 Continue gets it once, also if its body turns out too large', async () => {
  const { origin, apiKey } = await startInFrontOfEcho({}, { UPSTREAM_REQUESTS: 'log' })
  const fields = `Host: a\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: text/plain\r\n`
  const chunked = 'Transfer-Encoding: chunked\r\nExpect: 100-continue\r\nConnection: close\r\n'
  for (const size of [3, 150]) {
    const body = `${size.toString(16)}\r\n${'a'.repeat(size)}\r\n0\r\n\r\n`
    const socket = openSocket(origin)
    socket.write(`POST /v1/body HTTP/1.1\r\n${fields}${chunked}\r\n${body}`)
    expect(statusesIn(await receive(socket)), `${size}`).toEqual([100, 200])
  }
})

test('integers of 64 bits are forwarded as they were sent with largeIntegers: accept', async () => {
  const post = async (requests: RequestSettings, body: string) => {
    const { send } = await startInFrontOfEcho(requests)
    const headers = { 'Content-Type': 'application/json' }
    const response = await send('/v1/body', { method: 'POST', body: Buffer.from(body), headers })
    const got: UncheckedJson = await response.json()
    return [response.status, got] as const
  }
  const valid = '{"id":9223372036854775807}'
  const sent = ['application/json', valid]
  expect(await post({ largeIntegers: 'accept' }, valid)).toEqual([200, sent])
  expect((await post({}, valid))[0]).toBe(400)

  const [status, { details }] = await post(
    { largeIntegers: 'accept' },
    '{"id":9223372036854775808}',
  )
  expect([status, details[0].path]).toEqual([400, '/body/id'])
})
