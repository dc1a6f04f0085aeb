import { beforeEach, expect, test, vi } from 'vitest'
import type { AnimalStoreOptions } from '../../client/index.ts'
import {
  breakOff,
  fail,
  failureOf,
  json,
  lost,
  passTimeAtOnce,
  recordClient,
  rex,
  succeed,
} from './support/client.ts'

const now = new Date('2026-11-06T08:49:37Z')

beforeEach(() => passTimeAtOnce(now))

const badGateway = () => new Response('<html></html>', { status: 502 })

test.each([
  ['408', fail(408)],
  ['429', fail(429)],
  ['500', fail(500)],
  ['502 with an HTML page', badGateway],
  ['503', fail(503)],
  ['504', fail(504)],
  ['409 with Retry-After', fail(409, { 'Retry-After': '0' })],
  ['a network error', lost],
  ['a body that breaks off', breakOff],
])('retries after %s, until an attempt succeeds', async (_, failure) => {
  const { store, requests } = recordClient([failure, failure, succeed], { maxRetries: 3 })
  expect([...(await store.listPets())]).toEqual([])
  expect(requests).toHaveLength(3)
  const create = recordClient([failure, failure, failure, () => json(rex)], { maxRetries: 3 })
  expect(await create.store.createPet(rex)).toEqual(rex)
})

test.each([400, 401, 404, 409, 422, 501])('does not retry after %i', async (status) => {
  const { store, requests, retries } = recordClient([fail(status), succeed], { maxRetries: 3 })
  const error = await failureOf(store.listPets())
  expect(error).toMatchObject({ code: `code_${status}`, status, attempts: 1 })
  expect([requests.length, retries.length]).toEqual([1, 0])
})

test('onRetry gets the failed attempt, the delay, and the status or cause', async () => {
  const last = fail(504, { 'X-Request-Id': 'last' })
  const script = [badGateway, lost, fail(429), breakOff, last, succeed]
  const { store, requests, retries } = recordClient(script, { maxRetries: 4, maxRetryDelay: 6 })
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const error = await failureOf(store.listPets())
  const operationId = 'listPets'
  const cause = expect.any(TypeError)
  expect(retries).toEqual([
    { operationId, attempt: 1, delay: 3, status: 502, cause: undefined },
    { operationId, attempt: 2, delay: 3, status: undefined, cause },
    { operationId, attempt: 3, delay: 3, status: 429, cause: undefined },
    { operationId, attempt: 4, delay: 3, status: undefined, cause },
  ])
  // The error is that of the last response.
  const known = { code: 'code_504', message: 'Error 504.', status: 504, requestId: 'last' }
  expect(error).toMatchObject({ operationId, ...known, attempts: 5 })
  expect(requests).toHaveLength(5)
})

const almostOne = 1 - 2 ** -53

test.each<[string, random: number, options: Partial<AnimalStoreOptions>, number[]]>([
  [
    'doubles up to 8 seconds',
    almostOne,
    { maxRetries: 6 },
    [500, 1_000, 2_000, 4_000, 8_000, 8_000],
  ],
  ['is at most maxRetryDelay', almostOne, { maxRetryDelay: 1_500 }, [500, 1_000, 1_500]],
  ['may be 0 by jitter', 0, {}, [0, 0, 0]],
  ['is none without retries', almostOne, { maxRetries: 0 }, []],
])('the backoff %s', async (_, random, options, expected) => {
  vi.spyOn(Math, 'random').mockReturnValue(random)
  const { store, requests, retries } = recordClient(fail(503), options, {})
  const error = await failureOf(store.listPets())
  expect(retries.map(({ delay }) => Math.round(delay))).toEqual(expected)
  expect([error.attempts, requests.length]).toEqual([expected.length + 1, expected.length + 1])
})

/** Creates a client that gets 429 with these header fields, then a success. */
function watchRetryAfter(fields: Readonly<Record<string, string>>, maxRetries: number) {
  // A random wait would show: it is a quarter of a second.
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  return recordClient([fail(429, fields), succeed], { maxRetries }, {})
}

test.each<[field: string, seconds: number | undefined, date?: string]>([
  ['60', 60],
  ['Fri, 06 Nov 2026 08:50:07 GMT', 30],
  // A date is relative to the Date of the response.
  ['Fri, 06 Nov 2026 10:00:30 GMT', 30, 'Fri, 06 Nov 2026 10:00:00 GMT'],
  ['0', 0],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
  ['61', 61],
  ['1.5', undefined],
  ['2026-11-06T08:50:07Z', undefined],
])('Retry-After: %s means %s seconds', async (field, seconds, date) => {
  const fields = { 'Retry-After': field, ...(date && { Date: date }) }
  const once = watchRetryAfter(fields, 0)
  expect((await failureOf(once.store.listPets())).retryAfter).toBe(seconds)

  const { store, requests, retries } = watchRetryAfter(fields, 3)
  const outcome = await Promise.resolve(store.listPets()).catch(({ attempts }) => attempts)
  const delay = seconds ? seconds * 1_000 : 250
  // If it is longer than a minute, the call fails at once.
  const isTooLong = delay > 60_000
  expect(retries.map(({ delay }) => delay)).toEqual(isTooLong ? [] : [delay])
  expect(requests).toHaveLength(isTooLong ? 1 : 2)
  expect(outcome).toEqual(isTooLong ? 1 : [])
  expect(Date.now() - now.getTime()).toBe(isTooLong ? 0 : delay)
})

test('a longer maxRetryDelay of a call allows a longer Retry-After', async () => {
  const { store, retries } = watchRetryAfter({ 'Retry-After': '61' }, 3)
  await store.listPets({}, { maxRetryDelay: 61_000 })
  expect(retries.map(({ delay }) => delay)).toEqual([61_000])
})
