import { beforeEach, expect, test, vi } from 'vitest'
import type { CallOptions, ToolLibraryOptions } from '../../fixture-api/client.ts'
import {
  fail,
  failureOf,
  passTimeAtOnce,
  recordClient,
  saw,
  stall,
  stallInBody,
  succeed,
} from './support/client.ts'

beforeEach(() => passTimeAtOnce())
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0))

test('an attempt without a whole response ends after 30 seconds, and is retried', async () => {
  const script = [stall, stallInBody, () => Response.json(saw)]
  const { client, requests, retries } = recordClient(script, { maxRetries: 3 })
  const from = performance.now()
  expect(await client.createTool(saw)).toEqual(saw)
  expect(performance.now() - from).toBe(60_000)
  const cause = expect.objectContaining({ name: 'TimeoutError' })
  expect(retries).toMatchObject([
    { attempt: 1, status: undefined, cause },
    { attempt: 2, status: undefined, cause },
  ])
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, true, false])
})

const endless = Number.POSITIVE_INFINITY
const short = { timeout: 20, totalTimeout: 30 }

test.each<[Partial<ToolLibraryOptions>, CallOptions, time: number, sent: number]>([
  [{ timeout: 2_500, maxRetries: 3 }, {}, 10_000, 4],
  // totalTimeout ends an attempt, or a call whose attempts each keep to their timeout.
  [{ timeout: 150_000 }, {}, 120_000, 1],
  [{ timeout: 50_000, maxRetries: endless }, {}, 120_000, 3],
  // More than a timer takes.
  [{ timeout: 2 ** 31, totalTimeout: 2 ** 31 }, {}, 2 ** 31 - 1, 1],
  // Those of a call win one by one.
  [short, {}, 20, 1],
  [short, { timeout: 40 }, 30, 1],
  [short, { totalTimeout: 15 }, 15, 1],
])('with %j, and %j of the call, it ends after %i ms', async (options, ofCall, time, sent) => {
  const { client, requests } = recordClient(stall, options)
  const from = performance.now()
  const error = await failureOf(client.getTool(1, ofCall))
  expect(performance.now() - from).toBe(time)
  expect(error).toMatchObject({ code: 'timeout', operationId: 'getTool', attempts: sent })
  expect(error.message).toMatch(/^GET \/tools\/\{toolId\}: no complete response within \d+ ms$/)
  expect(error.status).toBeUndefined()
  expect(error.cause).toMatchObject({ name: 'TimeoutError' })
  expect(requests.map(({ signal }) => signal.aborted)).toEqual(Array(sent).fill(true))
})

test('a function apiKey that returns nothing in time is named by the error', async () => {
  const { client, requests } = recordClient(succeed, { apiKey: () => new Promise(() => undefined) })
  const error = await failureOf(client.listTools({}, { timeout: 20 }))
  expect(error).toMatchObject({ code: 'timeout', attempts: 0 })
  expect(error.message).toBe('GET /tools: no credentials within 20 ms')
  expect(requests).toHaveLength(0)
})

test.each([
  ['of Retry-After', { 'Retry-After': '1' }],
  ['of the backoff', {}],
])('a wait %s beyond the deadline is not started', async (_, headers) => {
  vi.mocked(Math.random).mockReturnValue(0.9)
  const { client, requests, retries } = recordClient([fail(503, headers), succeed], {}, {})
  const from = performance.now()
  const error = await failureOf(client.listTools({}, { totalTimeout: 400 }))
  expect(error).toMatchObject({ code: 'code_503', attempts: 1 })
  expect([performance.now() - from, requests.length, retries]).toEqual([0, 1, []])
  const other = recordClient([fail(503, headers), succeed], {}, {})
  expect([...(await other.client.listTools({}, { totalTimeout: 1_100 }))]).toEqual([])
})

test('totalTimeout ends a call while its middleware waits', async () => {
  const { client } = recordClient(succeed)
  client.raw.use({ onResponse: () => new Promise(() => undefined) })
  const error = await failureOf(client.listTools({}, { totalTimeout: 300 }))
  expect(error.message).toBe('GET /tools: no complete response within 300 ms')
})
