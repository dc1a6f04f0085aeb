import { beforeEach, expect, test, vi } from 'vitest'
import { type AnimalStore, createPacer } from '../../client/index.ts'
import { createRandom } from '../helpers/random.ts'
import {
  fail,
  failureOf,
  json,
  lost,
  passTimeAtOnce,
  type Respond,
  reasonOf,
  recordClient,
  stall,
  succeed,
} from './support/client.ts'
import { type Behaviour, createLimitedService, sleep } from './support/limited-service.ts'

beforeEach(() => passTimeAtOnce(new Date('2026-11-20T12:00:00.500Z')))

const quota = { perMinute: 20, perDay: 10_000 }
const [hour, day] = [3_600_000, 24 * 60]

/** Creates a paced client, without retries, of a service with a rate limit. */
function startPaced(limits = quota, behaviour: Behaviour = {}) {
  const { limited, statuses } = createLimitedService(limits, behaviour)
  return { ...recordClient(limited, { pacer: createPacer() }), statuses }
}

type Job = (store: AnimalStore) => Promise<unknown>

const atOnce = (count: number): Job => {
  return (store) => Promise.all(Array.from({ length: count }, async () => store.listPets()))
}

const oneByOne = (count: number): Job => {
  return async (store) => {
    for (let calls = 0; calls < count; calls++) await store.listPets()
  }
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
const daily = { perMinute: 20, perDay: 50 }
const random = createRandom(1)
const slow = { delay: () => Math.floor(random() * 4_000) }

test.each<[string, Job, typeof quota, Behaviour, sent: number, minutes: number]>([
  ['at once, a limit per minute', atOnce(70), quota, {}, 70, 3],
  ['one by one, a limit per day', oneByOne(120), daily, {}, 120, 2 * day],
  ['at once, a limit per day', atOnce(120), daily, {}, 120, 2 * day],
  ['a clock an hour ahead', atOnce(50), quota, { clockAhead: -hour }, 50, 2],
  ['a clock off by less than a second', atOnce(50), quota, { clockAhead: 700 }, 50, 2],
  ['responses that overtake each other', atOnce(100), quota, slow, 100, 4],
])(
  'paced calls get no 429 and lose no time: %s',
  async (_, job, limits, service, sent, minutes) => {
    const { store, statuses } = startPaced(limits, service)
    const taken = await minutesOf(job(store))
    expect(statuses).toEqual(successes(sent))
    expect(taken).toBeGreaterThanOrEqual(minutes)
    expect(taken).toBeLessThan(minutes + 2)
  },
)

test('without rate limit headers calls are not held back', async () => {
  const { store } = recordClient(
    async () => {
      await sleep(60_000)
      return json([])
    },
    { pacer: createPacer(), timeout: hour },
  )
  // The first call shows that there are none; then a hundred are in flight at most.
  expect(await minutesOf(atOnce(101)(store))).toBe(2)
  expect(await minutesOf(atOnce(101)(store))).toBe(2)
})

test('a paced call is sent with the API key that is valid after its wait', async () => {
  const rotatesAt = Date.now() + 30_000
  const apiKey = () => (Date.now() < rotatesAt ? 'ask_first' : 'ask_second')
  const { limited } = createLimitedService(quota)
  const { store, requests } = recordClient(limited, { pacer: createPacer(), apiKey })
  // It waits for the slot of a request whose limit is not known, and others for the next minute.
  await atOnce(21)(store)
  const keys = requests.map(({ headers }) => headers.get('authorization'))
  expect(keys).toEqual([...Array(20).fill('Bearer ask_first'), 'Bearer ask_second'])
})

test('a pacer that has seen the limit of the day alone gets too few 429 for a ban', async () => {
  const { limited, statuses, rejections } = createLimitedService({ perMinute: 60, perDay: 1_000 })
  // Others have used much of the day, so that the minute is not the window that is reported.
  for (let calls = 1; calls <= 400; calls++) {
    await limited(new Request('https://animals.example'), calls)
    if (calls % 50 === 0) await sleep(60_000)
  }
  await atOnce(100)(recordClient(limited, { pacer: createPacer() }, {}).store)
  expect(statuses.filter((status) => status === 200)).toHaveLength(500)
  expect(rejections.length).toBeLessThan(10)
})

test('an apiKey function that hangs or fails holds no slot, and uses up no limit', async () => {
  let key = async () => 'ask_test'
  const { limited, statuses } = createLimitedService(quota)
  const options = { pacer: createPacer(), timeout: 1_000, apiKey: () => key() }
  const { store } = recordClient(limited, options)
  const all = async () => {
    await store.listPets()
    key = () => new Promise(() => undefined)
    expect((await failureOf(store.listPets())).code).toBe('timeout')
    key = () => Promise.reject(new Error('no key'))
    expect(await failuresOf(40, () => store.listPets())).toBe(40)
    key = async () => 'ask_test'
    await atOnce(19)(store)
  }
  expect(await minutesOf(all())).toBeLessThan(1)
  expect(statuses).toEqual(successes(20))
})

test('after a 429 without rate limit headers one request is sent at a time', async () => {
  let [inFlight, most] = [0, 0]
  const reject: Respond = async (...sent) => {
    most = Math.max(most, ++inFlight)
    await sleep(20)
    inFlight--
    return fail(429, { 'Retry-After': '1' })(...sent)
  }
  const { store } = recordClient(reject, { pacer: createPacer() })
  expect(await failuresOf(20, () => store.listPets())).toBe(20)
  expect(most).toBe(1)
})

test('two clients may share a pacer', async () => {
  const { limited, statuses } = createLimitedService(quota)
  const pacer = createPacer()
  const [one, two] = [recordClient(limited, { pacer }), recordClient(limited, { pacer })]
  await Promise.all([atOnce(30)(one.store), atOnce(30)(two.store)])
  expect(statuses).toEqual(successes(60))
})

test.each([20, 300])(
  'four pacers of one key, with %i calls a minute, get too few 429 for a ban, and every call succeeds',
  async (perMinute) => {
    const { limited, statuses, rejections } = createLimitedService({ perMinute, perDay: 10_000 })
    const start = () => recordClient(limited, { pacer: createPacer() }, {}).store
    await Promise.all(Array.from({ length: 4 }, () => atOnce(perMinute)(start())))
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

test('a call that is aborted before it waits frees no slot of another', async () => {
  const controller = new AbortController()
  const apiKey = () => {
    controller.abort('enough')
    return 'ask_test'
  }
  const { store, requests } = recordClient(stall, { pacer: createPacer(), apiKey })
  await reasonOf(store.listPets({}, { signal: controller.signal }))
  const endAfter = (totalTimeout: number) => failureOf(store.listPets({}, { totalTimeout }))
  await Promise.all([endAfter(2_000), endAfter(1_000)])
  // As long as the limit is not known, one request is sent at a time.
  expect(requests).toHaveLength(1)
})

const everyThird = (other: Respond): Respond => {
  const respond: Respond = (request, number) =>
    (number % 3 === 0 ? other : succeed)(request, number)
  return createLimitedService(quota, { respond }).limited
}

test.each<[string, Respond, calls: number, failures: number]>([
  ['an error', everyThird(fail(500)), 70, 23],
  ['a network error', everyThird(lost), 70, 23],
  ['a timeout', (_, at) => (at < 4 ? new Promise(() => undefined) : json([])), 8, 3],
])('calls that end in %s free their slots', async (_, respond, calls, failures) => {
  const { store } = recordClient(respond, { pacer: createPacer() })
  expect(await failuresOf(calls, () => store.listPets())).toBe(failures)
})

test('paced calls continue at once after an outage of an hour', async () => {
  let isDown = false
  const { limited } = createLimitedService({ perMinute: 20, perDay: 15 })
  const { store } = recordClient((request, number) => (isDown ? lost : limited)(request, number), {
    pacer: createPacer(),
  })
  await failuresOf(10, () => store.listPets())
  isDown = true
  const from = Date.now()
  for (let minutes = 0; minutes < 60; minutes++) {
    await failuresOf(1, () => store.listPets())
    await sleep(60_000)
  }
  isDown = false
  expect(await failuresOf(5, () => store.listPets())).toBe(0)
  expect((Date.now() - from) / 60_000).toBeLessThan(62)
})

test('totalTimeout ends the wait for the limit', async () => {
  const { store, requests } = startPaced({ perMinute: 20, perDay: 5 })
  await atOnce(5)(store)
  const late = failureOf(store.listPets({}, { totalTimeout: hour }))
  expect(Math.round(await minutesOf(late))).toBe(60)
  expect((await late).code).toBe('timeout')
  // The timer of the pacer would keep the process alive for a day.
  expect(vi.getTimerCount()).toBe(0)
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
  ['429 without Retry-After', fail(429), 4],
  ['429 with Retry-After: 0', fail(429, { 'Retry-After': '0' }), 4],
  ['503 without Retry-After', fail(503), 4],
  ['503 with Retry-After of two hours', fail(503, { 'Retry-After': '7200' }), 1],
])('a paced call after %s keeps the usual rules', async (_, respond, sent) => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const { store, requests, retries } = recordClient(respond, { pacer: createPacer() }, {})
  expect((await failureOf(store.listPets())).attempts).toBe(sent)
  expect(retries.map(({ delay }) => delay)).toEqual([250, 500, 1_000].slice(0, sent - 1))
  expect(requests).toHaveLength(sent)
})
