import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type AnimalStore, createPacer } from '../../client/index.ts'
import { createRandom } from '../helpers/random.ts'
import { startTestService } from '../helpers/service.ts'
import {
  fail,
  failureOf,
  json,
  type Respond,
  reasonOf,
  rex,
  succeed,
  watch,
} from './support/client.ts'
import {
  type Behaviour,
  createLimitedService,
  fakeClock,
  passUntilDone,
  runRandomJob,
} from './support/limited-service.ts'

beforeEach(fakeClock)
afterEach(() => vi.useRealTimers())
afterEach(() => vi.restoreAllMocks())

const quota = { perMinute: 20, perDay: 10_000 }
const [hour, day] = [3_600_000, 24 * 60]

/** Creates a paced client, without retries, of a service with a rate limit. */
function startPaced(limits = quota, behaviour: Behaviour = {}) {
  const { limited, statuses } = createLimitedService(limits, behaviour)
  return { ...watch(limited, { pacer: createPacer() }), statuses }
}

type Job = (store: AnimalStore, count: number) => Promise<unknown>

const atOnce: Job = (store, count) =>
  Promise.all(Array.from({ length: count }, async () => store.listPets()))

const oneByOne: Job = async (store, count) => {
  for (let calls = 0; calls < count; calls++) await store.listPets()
}

const settle = (count: number, call: (number: number) => PromiseLike<unknown>) =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => call(index + 1)))

const successes = (count: number) => Array.from({ length: count }, () => 200)

test.each<[string, Job, typeof quota, number, number]>([
  ['one by one, a limit per minute', oneByOne, quota, 70, 3],
  ['at once, a limit per minute', atOnce, quota, 70, 3],
  ['one by one, a limit per day', oneByOne, { perMinute: 20, perDay: 50 }, 120, 2 * day],
  ['at once, a limit per day', atOnce, { perMinute: 20, perDay: 50 }, 120, 2 * day],
])('paced calls use each window and get no 429: %s', async (_, job, limits, count, minutes) => {
  const { store, statuses } = startPaced(limits)
  const taken = await passUntilDone(job(store, count))
  expect(statuses).toEqual(successes(count))
  expect(taken).toBeGreaterThanOrEqual(minutes)
  expect(taken).toBeLessThan(minutes + 10)
})

test('paced calls after a pause of hours get no 429', async () => {
  const { store, statuses } = startPaced()
  await passUntilDone(atOnce(store, 15))
  await vi.advanceTimersByTimeAsync(5 * hour)
  await passUntilDone(atOnce(store, 45))
  expect(statuses).toEqual(successes(60))
})

test.each([
  ['an hour ahead', -hour],
  ['an hour behind', hour],
  ['off by less than a second', 700],
])('paced calls of a client whose clock is %s take as long', async (_, clockAhead) => {
  const { store, statuses } = startPaced(quota, { clockAhead })
  const minutes = await passUntilDone(atOnce(store, 50))
  expect(statuses).toEqual(successes(50))
  expect(Math.floor(minutes)).toBe(2)
})

test.each([1, 2, 3])('paced calls whose responses overtake each other (seed %i)', async (seed) => {
  const random = createRandom(seed)
  const { store, statuses } = startPaced(quota, { delay: () => Math.floor(random() * 4_000) })
  const minutes = await passUntilDone(atOnce(store, 100))
  expect(statuses).toEqual(successes(100))
  expect(minutes).toBeLessThan(6)
})

// Of the seeds of the long test, these find requests that are missing from a window.
test.each([8, 45, 46])(
  'a random paced job gets no 429 and wastes no day (seed %i)',
  async (seed) => {
    const { calls, perDay, rejections, days } = await runRandomJob(seed, 0)
    expect(rejections).toBe(0)
    expect(days).toBeLessThan(Math.ceil(calls / perDay))
    await runRandomJob(seed, 0.3)
  },
)

test('without rate limit headers calls are not held back', async () => {
  const pending: ((response: Response) => void)[] = []
  const { store } = watch(
    (_, number) => (number === 1 ? json([]) : new Promise((resolve) => pending.push(resolve))),
    { pacer: createPacer() },
  )
  const job = atOnce(store, 30)
  for (let round = 0; round < 10; round++) await new Promise(setImmediate)
  expect(pending).toHaveLength(29)
  for (const resolve of pending) resolve(json([]))
  await job
})

test('two clients may share a pacer', async () => {
  const { limited, statuses } = createLimitedService(quota)
  const pacer = createPacer()
  const [one, two] = [watch(limited, { pacer }), watch(limited, { pacer })]
  await passUntilDone(Promise.all([atOnce(one.store, 30), atOnce(two.store, 30)]))
  expect(statuses).toEqual(successes(60))
})

test('two pacers of one key get few 429, and every call succeeds', async () => {
  const { limited, statuses } = createLimitedService(quota)
  const start = () => watch(limited, { pacer: createPacer(), retry: {} }).store
  await passUntilDone(Promise.all([atOnce(start(), 60), atOnce(start(), 60)]))
  expect(statuses.filter((status) => status === 200)).toHaveLength(120)
  expect(statuses.filter((status) => status === 429).length).toBeLessThan(30)
})

test('pages are paced like other calls', async () => {
  const { store, statuses } = startPaced(quota, {
    respond: (request) => {
      const page = Number(new URL(request.url).searchParams.get('cursor') ?? 1)
      const headers = { Link: `<?cursor=${page + 1}>; rel="next"` }
      return json([{ id: page }], page < 25 ? { headers } : {})
    },
  })
  const lists = [Array.fromAsync(store.listPets()), Array.fromAsync(store.listPets())]
  const minutes = await passUntilDone(Promise.all(lists))
  for (const list of lists) expect(await list).toHaveLength(25)
  expect(statuses).toEqual(successes(50))
  expect(Math.floor(minutes)).toBe(2)
})

test('a call that is aborted while it waits is not sent, and delays no other', async () => {
  const { store, requests, statuses } = startPaced()
  const controller = new AbortController()
  const { signal } = controller
  const calls = settle(60, (number) => store.listPets({}, number % 2 === 0 ? { signal } : {}))
  setTimeout(() => controller.abort('enough'), 30_000)
  const minutes = await passUntilDone(calls)
  const outcomes = (await calls).map(({ status }) => status)
  // Of the first 20, half have the signal; of the others, all those without it are sent.
  expect(outcomes.filter((outcome) => outcome === 'rejected')).toHaveLength(20)
  expect(requests).toHaveLength(40)
  expect(statuses).not.toContain(429)
  expect(Math.floor(minutes)).toBe(1)
})

test('calls that are aborted on their way free their slots', async () => {
  const { store, statuses } = startPaced()
  for (let round = 0; round < 5; round++) {
    const controller = new AbortController()
    const calls = settle(10, () => store.listPets({}, { signal: controller.signal }))
    setTimeout(() => controller.abort('enough'), 45)
    await passUntilDone(calls)
  }
  await passUntilDone(settle(30, () => store.listPets()))
  expect(statuses).not.toContain(429)
  expect(statuses.length).toBeGreaterThan(30)
})

const lost = () => Promise.reject(new TypeError('fetch failed'))

test.each<[string, Respond]>([
  ['an error', fail(500)],
  ['an unexpected response', () => new Response('<h1>Hello</h1>', { status: 502 })],
  ['a network error', lost],
])('calls that end in %s free their slots', async (_, respond) => {
  const { store, statuses } = startPaced(quota, {
    respond: (request, number) => (number % 3 === 0 ? respond(request, number) : json([])),
  })
  const calls = settle(70, () => store.listPets())
  await passUntilDone(calls)
  const outcomes = (await calls).map(({ status }) => status)
  expect(outcomes.filter((outcome) => outcome === 'rejected')).toHaveLength(23)
  expect(statuses).not.toContain(429)
})

test.each<[string, Respond, number]>([
  ['only network errors', lost, 0],
  ['three timeouts', (_, at) => (at < 4 ? new Promise(() => undefined) : json([])), 5],
])('paced calls end after %s', async (_, respond, succeed) => {
  const { store } = watch(respond, { pacer: createPacer() })
  const calls = settle(8, () => store.listPets())
  await passUntilDone(calls)
  const outcomes = (await calls).map(({ status }) => status)
  expect(outcomes.filter((outcome) => outcome === 'fulfilled')).toHaveLength(succeed)
})

test('paced calls continue at once after an outage of an hour', async () => {
  let isDown = false
  const { limited } = createLimitedService({ perMinute: 20, perDay: 15 })
  const { store } = watch((request, number) => (isDown ? lost() : limited(request, number)), {
    pacer: createPacer(),
  })
  await passUntilDone(settle(10, () => store.listPets()))
  isDown = true
  const from = Date.now()
  for (let minutes = 0; minutes < 60; minutes++) {
    await passUntilDone(store.listPets().catch(() => undefined))
    await vi.advanceTimersByTimeAsync(60_000)
  }
  isDown = false
  await passUntilDone(settle(5, () => store.listPets()))
  expect((Date.now() - from) / 60_000).toBeLessThan(62)
})

test('timeout.total and a signal end the wait for the limit', async () => {
  const { store, requests } = startPaced({ perMinute: 20, perDay: 5 })
  await passUntilDone(atOnce(store, 5))
  const controller = new AbortController()
  setTimeout(() => controller.abort('enough'), hour)
  const late = failureOf(store.listPets({}, { timeout: { total: hour } }))
  const aborted = reasonOf(store.listPets({}, { signal: controller.signal }))
  expect(Math.round(await passUntilDone(Promise.all([late, aborted])))).toBe(60)
  expect((await late).code).toBe('timeout')
  expect(await aborted).toBe('enough')
  expect(requests).toHaveLength(5)
})

test('a paced call after 429 waits for hours, for as many attempts as it has', async () => {
  const wait = fail(429, { 'Retry-After': '7200' })
  const respond = [wait, wait, wait, wait, wait, wait, succeed]
  const patient = watch(respond, { pacer: createPacer(), retry: {} })
  expect(await passUntilDone(Promise.resolve(patient.store.listPets()))).toBe(6 * 120)
  const limited = { attempts: 3, longestRetryAfter: 7_200_000 }
  for (const [retry, sent] of [[limited, 3] as const, [false, 1] as const]) {
    const { store, requests } = watch(respond, { pacer: createPacer(), retry })
    const error = failureOf(store.listPets())
    await passUntilDone(error)
    expect((await error).code).toBe('code_429')
    expect(requests).toHaveLength(sent)
  }
})

test.each([
  ['429 without Retry-After', fail(429), 4],
  ['429 with Retry-After: 0', fail(429, { 'Retry-After': '0' }), 4],
  ['503 without Retry-After', fail(503), 4],
  ['503 with Retry-After of two hours', fail(503, { 'Retry-After': '7200' }), 1],
])('a paced call after %s keeps the usual rules', async (_, respond, sent) => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const { store, requests, retries } = watch(respond, { pacer: createPacer(), retry: {} })
  const error = failureOf(store.listPets())
  await passUntilDone(error)
  expect((await error).attempts).toBe(sent)
  expect(retries.map(({ delay }) => delay)).toEqual([250, 500, 1_000].slice(0, sent - 1))
  expect(requests).toHaveLength(sent)
})

const start = Date.UTC(2026, 10, 20, 12)

/** Returns the header fields of a response that leaves so much until a minute after the start. */
function limitUntil(remaining: number, more: Record<string, string> = {}) {
  return {
    Date: new Date(start).toUTCString(),
    'X-RateLimit-Limit': '20',
    'X-RateLimit-Remaining': `${remaining}`,
    'X-RateLimit-Reset': `${start / 1000 + 60}`,
    ...more,
  }
}

const allow = () => json([], { headers: limitUntil(5) })
const ban = fail(429, limitUntil(0, { 'Retry-After': '300' }))

test.each<[string, Respond, Respond]>([
  ['before', ban, allow],
  ['after', allow, ban],
])('a ban that arrives %s another response delays the next call', async (_, one, other) => {
  vi.setSystemTime(start)
  const { store, requests } = watch(
    async (request, number) => {
      if (number === 2) return one(request, number)
      // The third response arrives after the second.
      if (number === 3) await new Promise((resolve) => setTimeout(resolve, 10))
      return number === 3 ? other(request, number) : allow()
    },
    { pacer: createPacer() },
  )
  await store.listPets()
  await passUntilDone(Promise.allSettled([store.listPets(), store.listPets()]))
  const minutes = await passUntilDone(Promise.resolve(store.listPets()))
  expect(requests).toHaveLength(4)
  expect(Math.round(minutes)).toBe(5)
})

test.each([
  ['back', -hour],
  ['forward', hour],
])('a clock that is set %s by an hour while a call waits changes nothing', async (_, change) => {
  vi.setSystemTime(start)
  const begin = performance.now()
  const { store, requests } = watch(
    (_, number) => {
      const date = new Date(start + performance.now() - begin)
      return json([], { headers: limitUntil(number - 1, { Date: date.toUTCString() }) })
    },
    { pacer: createPacer() },
  )
  await store.listPets()
  const waiting = Promise.resolve(store.listPets())
  await vi.advanceTimersByTimeAsync(10_000)
  expect(requests).toHaveLength(1)
  vi.setSystemTime(Date.now() + change)
  await vi.advanceTimersByTimeAsync(49_000)
  expect(requests).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(requests).toHaveLength(2)
  await waiting
})

test.each<[string, typeof quota, number, (store: AnimalStore) => Promise<unknown>]>([
  [
    'creates at once, with a limit per day',
    { perMinute: 20, perDay: 25 },
    2 * day,
    (store) => Promise.all(Array.from({ length: 60 }, () => store.createPet(rex))),
  ],
  [
    'pages among creates',
    { perMinute: 10, perDay: 1_000 },
    2,
    async (store) => {
      for (let count = 0; count < 8; count++) await store.createPet(rex)
      const ids: number[] = []
      for await (const { id } of store.listPets({ limit: 1 })) {
        if (ids.push(id) <= 4) await store.createPet(rex)
      }
      expect(ids).toEqual(Array.from({ length: 12 }, (_, index) => index + 1))
    },
  ],
])('paced calls of the service get no 429: %s', async (_, limits, least, job) => {
  const { baseUrl, issue } = await startTestService()
  const { key: apiKey } = await issue(limits)
  const statuses: number[] = []
  let pending = 0
  const { store } = watch(
    async (request) => {
      pending++
      const response = await fetch(request).finally(() => pending--)
      statuses.push(response.status)
      const dated = new Response(response.body, response)
      // Node reads the real clock for this field.
      dated.headers.set('Date', new Date().toUTCString())
      return dated
    },
    { baseUrl, apiKey, pacer: createPacer() },
  )
  const minutes = await passUntilDone(job(store), () => pending > 0)
  expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([])
  expect(minutes).toBeGreaterThanOrEqual(least)
  expect(minutes).toBeLessThan(least + 10)
})
