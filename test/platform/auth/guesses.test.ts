import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ApiError } from '../../../server/contract/errors.ts'
import { GuessLimiter, RequestGuesses } from '../../../server/security/guess-limiter.ts'
import { heapGrowth } from '../../helpers/heap.ts'
import { type Init, startServiceOf } from '../../helpers/service.ts'
import { createDescribedApi } from './support/described-api.ts'

const right = basic('ada:right')

/** Starts a service whose passwords take a moment to check, and counts the checks. */
async function start(environment: Readonly<Record<string, string>>) {
  const checks = { all: 0, running: 0, most: 0 }

  async function checkPassword(user: string, password: string) {
    checks.all++
    checks.running++
    checks.most = Math.max(checks.most, checks.running)
    await wait(5)
    checks.running--
    if (password === 'away') {
      throw new ApiError({ status: 503, code: 'unavailable' }, 'Later.', {
        headers: { 'Retry-After': 1 },
      })
    }
    return password === 'right' ? { id: user } : undefined
  }

  const api = await createDescribedApi({
    securitySchemes: {
      staff: { type: 'http', scheme: 'basic' },
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    },
    paths: {
      '/staff': [{ staff: [] }],
      '/either': [{ staff: [] }, { key: [] }],
      '/optional': [{ staff: [] }, {}],
    },
    createAuthenticators: ({ apiKeys, basic }) => ({
      staff: basic('staff', checkPassword),
      key: apiKeys('key'),
    }),
  })
  const service = await startServiceOf(api, { TRUST_PROXY: '1', ...environment })

  /** Sends many requests at once; returns how many had each status. */
  async function askAtOnce(many: number, path: string, init: (index: number) => Init) {
    const sent = Array.from({ length: many }, (_, index) => service.send(path, init(index)))
    const responses = await Promise.all(sent)
    const byStatus = Map.groupBy(responses, ({ status }) => status)
    return Object.fromEntries(Array.from(byStatus, ([status, some]) => [status, some.length]))
  }

  return { ...service, askAtOnce, checks }
}

function basic(text: string): string {
  return `Basic ${Buffer.from(text).toString('base64')}`
}

function guess(index: number): Init {
  return { key: '', headers: { Authorization: basic(`ada:guess${index}`) } }
}

test('of many guesses at once, as many passwords are checked as the limit of the address allows', async () => {
  const { ask, askAtOnce, checks } = await start({ ANONYMOUS_PER_MINUTE: '10' })
  expect(await askAtOnce(100, '/v1/staff', guess)).toEqual({ 401: 10, 429: 90 })
  expect(checks.all).toBe(10)

  // The limit of the address comes first.
  const valid = { key: '', headers: { Authorization: right } }
  const message = expect.stringContaining('The limit of 10 requests per minute without a valid')
  const limited = { status: 429, code: 'rate_limited', 'x-ratelimit-remaining': '0', message }
  expect(await ask('/v1/staff', valid)).toMatchObject(limited)
  expect(await ask('/v1/optional', valid)).toMatchObject({ status: 429 })
  const elsewhere = { Authorization: right, 'X-Forwarded-For': '203.0.113.7' }
  expect(await ask('/v1/staff', { key: '', headers: elsewhere })).toMatchObject({ status: 200 })
  expect(checks.all).toBe(11)
})

test('right passwords are no guesses: they wait while as many are checked as could be wrong', async () => {
  const { askAtOnce, checks } = await start({ ANONYMOUS_PER_MINUTE: '3' })
  const valid = () => ({ key: '', headers: { Authorization: right } })
  expect(await askAtOnce(30, '/v1/staff', valid)).toEqual({ 200: 30 })
  expect(checks).toMatchObject({ all: 30, most: 3 })
})

test('guesses count for the address, whatever else the request has', async () => {
  const { apiKey, ask, askAtOnce, checks } = await start({ ANONYMOUS_PER_MINUTE: '5' })
  const withKey = (index: number): Init => {
    const headers = { ...guess(index).headers, 'X-Key': apiKey }
    return { key: '', headers }
  }
  expect(await askAtOnce(20, '/v1/either', withKey)).toEqual({ 200: 20 })
  expect(checks.all).toBe(5)
  expect(await ask('/v1/optional', { key: '' })).toMatchObject({ status: 429 })
})

test('a password that cannot be checked is no guess', async () => {
  const { ask, askAtOnce } = await start({ ANONYMOUS_PER_MINUTE: '2' })
  const away = () => ({ key: '', headers: { Authorization: basic('ada:away') } })
  expect(await askAtOnce(10, '/v1/staff', away)).toEqual({ 503: 10 })
  const valid = { key: '', headers: { Authorization: right } }
  expect(await ask('/v1/staff', valid)).toMatchObject({ status: 200 })
})

test('without rate limits, every password is checked', async () => {
  const { askAtOnce, checks } = await start({ RATE_LIMITS: 'off', ANONYMOUS_PER_MINUTE: '2' })
  expect(await askAtOnce(10, '/v1/staff', guess)).toEqual({ 401: 10 })
  expect(checks.all).toBe(10)
})

test('guesses of 20,000 addresses leave the heap where it was', async () => {
  const verdict = { outcome: 'allowed', retryAfter: 0, limit: 9, remaining: 9, left: 1 } as const
  const limiter = new GuessLimiter({ peekAddress: async () => verdict })
  const growth = await heapGrowth([1_000, 21_000], async (at) => {
    const guesses = new RequestGuesses(limiter, `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`)
    await guesses.check(async () => undefined)
    guesses.end()
  })
  expect(growth).toBeLessThan(2)
})
