import { beforeEach, expect, test, vi } from 'vitest'
import type { CallOptions, ToolLibrary } from '../../fixture-api/client.ts'
import {
  breakOff,
  fail,
  failureOf,
  lost,
  passTimeAtOnce,
  type Respond,
  recordClient,
  saw,
  succeed,
} from './support/client.ts'

const now = new Date('2026-11-06T08:49:37Z')

beforeEach(() => passTimeAtOnce(now))
// Half of each backoff, which doubles from 500 ms on.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0.5))

const badGateway: Respond = () => new Response('<html></html>', { status: 502 })
const breakOff404: Respond = async (...sent) =>
  new Response((await breakOff(...sent)).body, { status: 404 })

const success = 'success'
type Row = [what: string, script: Respond | Respond[], CallOptions, end: string, delays: number[]]

const twice = (what: string, failure: Respond): Row => {
  return [`is retried after ${what}`, [failure, failure, succeed], {}, success, [250, 500]]
}
const final = (status: number): Row => {
  return [`is not retried after ${status}`, [fail(status)], {}, `code_${status} ${status}`, []]
}
const wait = (seconds: number, field: string, date = now.toUTCString()): Row => {
  const script = [fail(429, { 'Retry-After': field, Date: date }), succeed]
  return [`waits ${seconds} s after Retry-After: ${field}`, script, {}, success, [seconds * 1_000]]
}
const endless = fail(503)
const inAMinute = fail(429, { 'Retry-After': '61' })

test.each<Row>([
  ...[408, 429, 500, 503, 504].map((status) => twice(`${status}`, fail(status))),
  twice('502 with an HTML page', badGateway),
  twice('409 with Retry-After', fail(409, { 'Retry-After': '0' })),
  twice('409 with a past date', fail(409, { 'Retry-After': 'Sun, 06 Nov 1994 08:49:37 GMT' })),
  twice('a network error', lost),
  twice('a body that breaks off', breakOff),
  ...[308, 400, 401, 404, 409, 422, 501].map(final),
  ['is not retried after 404 that breaks off', breakOff404, {}, 'network_error 404', []],

  ['is retried three times by default', endless, {}, 'code_503 503', [250, 500, 1e3]],
  ['has maxRetries', endless, { maxRetries: 6 }, 'code_503 503', [250, 500, 1e3, 2e3, 4e3, 4e3]],
  ['may have no retries', endless, { maxRetries: 0 }, 'code_503 503', []],
  ['waits for maxRetryDelay', endless, { maxRetryDelay: 1_500 }, 'code_503 503', [250, 500, 750]],

  wait(60, '60'),
  wait(30, 'Fri, 06 Nov 2026 08:50:07 GMT'),
  // A date is relative to the Date of the response.
  wait(30, 'Fri, 06 Nov 2026 10:00:30 GMT', 'Fri, 06 Nov 2026 10:00:00 GMT'),
  // Those that are not valid count as none.
  wait(0.25, '1.5'),
  wait(0.25, '2026-11-06T08:50:07Z'),
  ['fails at once if Retry-After is more than a minute', inAMinute, {}, 'code_429 429', []],
  ['may wait longer', [inAMinute, succeed], { maxRetryDelay: 61_000 }, success, [61_000]],
])('a list or a create %s', async (_, script, options, end, delays) => {
  for (const call of [
    (client: ToolLibrary) => client.listTools({}, options),
    (client: ToolLibrary) => client.createTool(saw, options),
  ]) {
    const { client, requests, retries } = recordClient(script, {}, {})
    const from = Date.now()
    const ended = await call(client).then(
      () => success,
      ({ code, status }) => `${code} ${status}`,
    )
    expect([ended, retries.map(({ delay }) => delay)]).toEqual([end, delays])
    expect(requests).toHaveLength(delays.length + 1)
    expect(Date.now() - from).toBe(delays.reduce((sum, delay) => sum + delay, 0))
  }
})

test('onRetry gets the failed attempt, the delay, and the status or cause', async () => {
  const last = fail(504, { 'X-Request-Id': 'last', 'Retry-After': '61' })
  const script = [badGateway, lost, fail(429), breakOff, last, succeed]
  const { client, retries } = recordClient(script, { maxRetries: 5, maxRetryDelay: 6 })
  const error = await failureOf(client.listTools())
  const operationId = 'listTools'
  const cause = expect.any(TypeError)
  expect(retries).toEqual([
    { operationId, attempt: 1, delay: 3, status: 502, cause: undefined },
    { operationId, attempt: 2, delay: 3, status: undefined, cause },
    { operationId, attempt: 3, delay: 3, status: 429, cause: undefined },
    { operationId, attempt: 4, delay: 3, status: undefined, cause },
  ])
  // The error is that of the last response.
  const known = { code: 'code_504', message: 'Error 504.', status: 504, requestId: 'last' }
  expect(error).toMatchObject({ operationId, ...known, attempts: 5, retryAfter: 61 })
})
