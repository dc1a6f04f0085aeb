import { beforeEach, expect, test, vi } from 'vitest'
import { type AnimalStore, createPacer } from '../../client/index.ts'
import { createRandom } from '../helpers/random.ts'
import {
  fail,
  failureOf,
  lost,
  passTimeAtOnce,
  type Respond,
  recordClient,
  succeed,
} from './support/client.ts'
import { type Behaviour, createLimitedService, sleep } from './support/limited-service.ts'

beforeEach(() => passTimeAtOnce(new Date('2026-11-20T12:00:00.500Z')))

const hour = 3_600_000
const day = 24 * 60
const quota = { perMinute: 20, perDay: 10_000 }
const daily = { perMinute: 20, perDay: 50 }

/** Creates a paced client, without retries, of a service with a rate limit. */
function startPaced(limits = quota, behaviour: Behaviour = {}) {
  const { limited, statuses } = createLimitedService(limits, behaviour)
  return { ...recordClient(limited, { pacer: createPacer() }), statuses }
}

function listAtOnce(count: number, store: AnimalStore) {
  return Promise.all(Array.from({ length: count }, async () => store.listPets()))
}

/** Makes calls at once; returns how many of them fail. */
async function failuresOf(count: number, call: (number: number) => PromiseLike<unknown>) {
  const calls = Array.from({ length: count }, (_, index) => call(index + 1))
  return (await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected').length
}

/** Waits for some work; returns the minutes that it took. */
async function minutesOf(work: PromiseLike<unknown>): Promise<number> {
  const from = Date.now()
  await work
  return (Date.now() - from) / 60_000
}

const successes = (count: number) => Array(count).fill(200)
const random = createRandom(1)
const slow = { delay: () => Math.floor(random() * 4_000) }

test.each<[string, calls: number, typeof quota, Behaviour, minutes: number]>([
  ['a limit per minute', 70, quota, {}, 3],
  ['a limit per day', 120, daily, {}, 2 * day],
  ['a clock an hour ahead', 50, quota, { clockAhead: hour }, 2],
  ['a clock an hour behind', 50, quota, { clockAhead: -hour }, 2],
  ['responses that overtake each other', 100, quota, slow, 4],
])('paced calls get no 429 and lose no time: %s', async (_, calls, limits, service, minutes) => {
  const { store, statuses } = startPaced(limits, service)
  const taken = await minutesOf(listAtOnce(calls, store))
  expect(statuses).toEqual(successes(calls))
  expect(taken).toBeGreaterThanOrEqual(minutes)
  expect(taken).toBeLessThan(minutes + 2)
})

const ban = {
  'Retry-After': '300',
  'X-RateLimit-Limit': '20',
  'X-RateLimit-Remaining': '0',
  'X-RateLimit-Reset': `${Date.parse('2026-11-20T12:00:30Z') / 1000}`,
}

test.each<[string, Respond, most: number, minutes: number]>([
  ['successes without rate limit headers', succeed, 8, 0],
  ['errors without rate limit headers', fail(502), 1, 0],
  ['a ban that is longer than the window', fail(429, ban), 1, 19 * 5],
])('paced calls that get %s are sent few at a time', async (_, respond, most, minutes) => {
  const sending = new Set<Request>()
  let mostAtOnce = 0
  const { store } = recordClient(
    async (request, number) => {
      mostAtOnce = Math.max(mostAtOnce, sending.add(request).size)
      await sleep(20)
      sending.delete(request)
      return respond(request, number)
    },
    { pacer: createPacer() },
  )
  const failures = failuresOf(20, () => store.listPets())
  expect(Math.floor(await minutesOf(failures))).toBe(minutes)
  expect(mostAtOnce).toBe(most)
})

test('a paced call is sent with the API key that is valid after its wait', async () => {
  const rotatesAt = Date.now() + 30_000
  const apiKey = () => (Date.now() < rotatesAt ? 'ask_first' : 'ask_second')
  const { limited } = createLimitedService(quota)
  const { store, requests } = recordClient(limited, { pacer: createPacer(), apiKey })
  await listAtOnce(21, store)
  const keys = requests.map(({ headers }) => headers.get('authorization'))
  expect(keys).toEqual([...Array(20).fill('Bearer ask_first'), 'Bearer ask_second'])
})

test('an apiKey function that hangs or fails holds no slot, and uses up no limit', async () => {
  let key = async () => 'ask_test'
  const { limited, statuses } = createLimitedService(quota)
  const options = { pacer: createPacer(), timeout: 1_000, apiKey: () => key() }
  const { store } = recordClient(limited, options)
  const from = Date.now()
  await store.listPets()
  key = () => new Promise(() => undefined)
  expect((await failureOf(store.listPets())).code).toBe('timeout')
  key = () => Promise.reject(new Error('no key'))
  expect(await failuresOf(40, () => store.listPets())).toBe(40)
  key = async () => 'ask_test'
  await listAtOnce(19, store)
  expect(Date.now() - from).toBeLessThan(60_000)
  expect(statuses).toEqual(successes(20))
})

test('two clients may share a pacer', async () => {
  const { limited, statuses } = createLimitedService(quota)
  const pacer = createPacer()
  const stores = [1, 2].map(() => recordClient(limited, { pacer }).store)
  await Promise.all(stores.map((store) => listAtOnce(30, store)))
  expect(statuses).toEqual(successes(60))
})

test.each([
  [60, 180],
  [300, 10_000],
])(
  'four pacers of one key, with %i calls a minute and %i a day, get too few 429 for a ban, and every call succeeds',
  async (perMinute, perDay) => {
    const { limited, statuses, rejections } = createLimitedService({ perMinute, perDay })
    const start = () => recordClient(limited, { pacer: createPacer() }, {}).store
    await Promise.all(Array.from({ length: 4 }, () => listAtOnce(perMinute, start())))
    expect(statuses.filter((status) => status === 200)).toHaveLength(4 * perMinute)
    const inMinutes = Map.groupBy(rejections, (at) => Math.floor(at / 60_000))
    // The service bans a key at the tenth within a minute.
    expect(Math.max(...Array.from(inMinutes.values(), ({ length }) => length))).toBeLessThan(5)
  },
)

test('a call that is aborted while it waits is not sent, and delays no other', async () => {
  const { store, requests, statuses } = startPaced()
  const controller = new AbortController()
  const { signal } = controller
  setTimeout(() => controller.abort('enough'), 30_000)
  const list = (number: number) => store.listPets({}, number % 2 === 0 ? { signal } : {})
  // Of the first 20, half have the signal; of the others, all those without it are sent.
  const failures = failuresOf(60, list)
  expect(Math.floor(await minutesOf(failures))).toBe(1)
  expect(await failures).toBe(20)
  expect(requests).toHaveLength(40)
  expect(statuses).not.toContain(429)
})

test.each<[string, Respond]>([
  ['an error', fail(500)],
  ['a network error', lost],
  ['a timeout', () => new Promise(() => undefined)],
])('calls that end in %s free their slots', async (_, failure) => {
  const everyThird: Respond = (request, number) =>
    (number % 3 === 0 ? failure : succeed)(request, number)
  const { store } = recordClient(everyThird, { pacer: createPacer() })
  expect(await failuresOf(70, () => store.listPets())).toBe(23)
})

test('totalTimeout ends the wait for the limit', async () => {
  const { store, requests } = startPaced({ perMinute: 20, perDay: 5 })
  await listAtOnce(5, store)
  const late = failureOf(store.listPets({}, { totalTimeout: hour }))
  expect(Math.round(await minutesOf(late))).toBe(60)
  expect((await late).code).toBe('timeout')
  expect(requests).toHaveLength(5)
})

test('a paced call after 429 waits for hours, as often as maxRetries allows', async () => {
  const wait = fail(429, { 'Retry-After': '7200' })
  const respond = [wait, wait, wait, wait, wait, wait, succeed]
  const paced = recordClient(respond, { pacer: createPacer() }, {})
  expect(await minutesOf(paced.store.listPets())).toBe(6 * 120)
  for (const maxRetries of [2, 0]) {
    const { store, requests } = recordClient(respond, { pacer: createPacer(), maxRetries }, {})
    expect((await failureOf(store.listPets())).code).toBe('code_429')
    expect(requests).toHaveLength(maxRetries + 1)
  }
})

test.each([
  ['429 with Retry-After: 0', fail(429, { 'Retry-After': '0' }), 4],
  ['503 with Retry-After of two hours', fail(503, { 'Retry-After': '7200' }), 1],
])('a paced call after %s keeps the usual rules', async (_, respond, sent) => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const { store, requests } = recordClient(respond, { pacer: createPacer() }, {})
  expect((await failureOf(store.listPets())).attempts).toBe(sent)
  expect(requests).toHaveLength(sent)
})
