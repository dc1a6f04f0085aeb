import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type AnimalStore, createPacer } from '../../client/index.ts'
import { createRandom } from '../support/random.ts'
import { passUntilDone } from './support/fake-time.ts'
import { type Behaviour, createLimitedService } from './support/limited-service.ts'
import { json, watch } from './support/watched-store.ts'

beforeEach(() => {
  const now = Date.UTC(2026, 10, 20, 12, 0, 0, 500)
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'], now })
})
afterEach(() => vi.useRealTimers())

const aMinute = { perMinute: 20, perDay: 10_000 }
const hour = 3_600_000

/** A paced client of a service that counts, and the statuses of what that answered. */
function startPaced(quota = aMinute, behaviour: Behaviour = {}) {
  const { answering, statuses } = createLimitedService(quota, behaviour)
  const { store, requests } = watch(answering, { pacer: createPacer(), retry: {} })
  return { store, statuses, requests, answering }
}

const atOnce = (store: AnimalStore, count: number) =>
  Promise.all(Array.from({ length: count }, async () => store.listPets()))

const inTurn = async (store: AnimalStore, count: number) => {
  for (let calls = 0; calls < count; calls++) await store.listPets()
}

const successes = (count: number) => Array.from({ length: count }, () => 200)

test('calls one after the other fill window after window, and none is refused', async () => {
  const { store, statuses } = startPaced()
  const minutes = await passUntilDone(inTurn(store, 70))
  expect(statuses).toEqual(successes(70))
  // Three resets have to be waited for, and no more.
  expect(Math.floor(minutes)).toBe(3)
})

test('calls at once fill window after window, and none is refused', async () => {
  const { store, statuses } = startPaced()
  const minutes = await passUntilDone(atOnce(store, 70))
  expect(statuses).toEqual(successes(70))
  expect(Math.floor(minutes)).toBe(3)
})

test('what comes a window later than it was planned is not refused either', async () => {
  const { store, statuses } = startPaced()
  await passUntilDone(atOnce(store, 15))
  await vi.advanceTimersByTimeAsync(5 * hour)
  await passUntilDone(atOnce(store, 45))
  expect(statuses).toEqual(successes(60))
})

test.each([
  ['one after the other', inTurn],
  ['at once', atOnce],
])('the limit of the day is kept beside that of the minute: calls %s', async (_, job) => {
  const { store, statuses } = startPaced({ perMinute: 20, perDay: 50 })
  const minutes = await passUntilDone(job(store, 120))
  expect(statuses).toEqual(successes(120))
  expect(Math.floor(minutes / (24 * 60))).toBe(2)
})

test.each([
  ['an hour ahead', -hour],
  ['an hour behind', hour],
  ['off by less than a second', 700],
])('a client whose clock is %s waits as long as any other', async (_, clockAhead) => {
  const { store, statuses } = startPaced(aMinute, { clockAhead })
  const minutes = await passUntilDone(atOnce(store, 50))
  expect(statuses).toEqual(successes(50))
  expect(Math.floor(minutes)).toBe(2)
})

test.each([1, 2, 3, 4, 5])('answers that overtake each other mislead nobody (%i)', async (seed) => {
  const random = createRandom(seed)
  const delay = () => Math.floor(random() * 4_000)
  const { store, statuses } = startPaced(aMinute, { delay })
  const minutes = await passUntilDone(atOnce(store, 100))
  expect(statuses).toEqual(successes(100))
  expect(minutes).toBeLessThan(6)
})

test('without limit headers calls go as they come', async () => {
  const pending: ((response: Response) => void)[] = []
  const { store } = watch(
    (_, number) => (number === 1 ? json([]) : new Promise((answer) => pending.push(answer))),
    { pacer: createPacer() },
  )
  const job = atOnce(store, 30)
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
  expect(pending).toHaveLength(29)
  for (const answer of pending) answer(json([]))
  await job
})

test('two clients of one key share a pacer, and none of their calls is refused', async () => {
  const { answering, statuses } = createLimitedService(aMinute)
  const pacer = createPacer()
  const [one, two] = [watch(answering, { pacer }), watch(answering, { pacer })]
  await passUntilDone(Promise.all([atOnce(one.store, 30), atOnce(two.store, 30)]))
  expect(statuses).toEqual(successes(60))
})

test('a job ends although somebody else uses the same key, and they clash in earnest once', async () => {
  const { store, statuses, answering } = startPaced()
  const other = watch(answering, { pacer: createPacer(), retry: {} })
  await passUntilDone(Promise.all([atOnce(store, 60), atOnce(other.store, 60)]))
  expect(statuses.filter((status) => status === 200)).toHaveLength(120)
  // Neither can know of the other before the first refusals; after these each goes with care.
  const refusals = statuses.filter((status) => status === 429)
  expect(refusals.length).toBeGreaterThan(10)
  expect(refusals.length).toBeLessThan(30)
})

test('walks of many pages are held back like any other calls', async () => {
  const { store, statuses } = startPaced(aMinute, {
    answer: (request) => {
      const page = Number(new URL(request.url).searchParams.get('cursor') ?? 1)
      const headers = { Link: `<?cursor=${page + 1}>; rel="next"` }
      return json([{ id: page }], page < 25 ? { headers } : {})
    },
  })
  const walks = [Array.fromAsync(store.listPets()), Array.fromAsync(store.listPets())]
  const minutes = await passUntilDone(Promise.all(walks))
  for (const walk of walks) expect(await walk).toHaveLength(25)
  expect(statuses).toEqual(successes(50))
  expect(Math.floor(minutes)).toBe(2)
})
