import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type AnimalStoreError, createPacer } from '../../client/index.ts'
import { passUntilDone } from './support/fake-time.ts'
import { createLimitedService } from './support/limited-service.ts'
import { type Answering, json, watch } from './support/watched-store.ts'

beforeEach(() =>
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] }),
)
afterEach(() => vi.useRealTimers())

const aMinute = { perMinute: 20, perDay: 10_000 }

/** A paced client that tries nothing again, of a service that answers as it is told. */
function startPaced(answer: Answering = () => json([])) {
  const { answering, statuses } = createLimitedService(aMinute, { answer })
  return { ...watch(answering, { pacer: createPacer() }), statuses }
}

const times = <Result>(count: number, call: (number: number) => PromiseLike<Result>) =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => call(index + 1)))

test('a call that is called off while it waits is not sent, and holds nobody up', async () => {
  const { store, requests, statuses } = startPaced()
  const controller = new AbortController()
  const { signal } = controller
  const calls = times(60, (number) => store.listPets({}, number % 2 === 0 ? { signal } : {}))
  setTimeout(() => controller.abort('enough'), 30_000)
  const minutes = await passUntilDone(calls)
  const outcomes = (await calls).map(({ status }) => status)
  // Of the first 20, half had a signal; of the others, all those without one are sent.
  expect(outcomes.filter((outcome) => outcome === 'rejected')).toHaveLength(20)
  expect(requests).toHaveLength(40)
  expect(statuses).not.toContain(429)
  expect(Math.floor(minutes)).toBe(1)
})

test('calls that are called off on their way give their place back', async () => {
  const { store, statuses } = startPaced()
  for (let round = 0; round < 5; round++) {
    const controller = new AbortController()
    const calls = times(10, () => store.listPets({}, { signal: controller.signal }))
    setTimeout(() => controller.abort('enough'), 45)
    await passUntilDone(calls)
  }
  await passUntilDone(times(30, () => store.listPets()))
  expect(statuses).not.toContain(429)
  expect(statuses.length).toBeGreaterThan(30)
})

const broken: readonly (readonly [string, Answering])[] = [
  ['errors', () => json({ code: 'internal_error', message: 'Failed.' }, { status: 500 })],
  ['answers off the contract', () => new Response('<h1>Hello</h1>', { status: 502 })],
  ['a connection that breaks', () => Promise.reject(new TypeError('fetch failed'))],
]

test.each(broken)('calls that end in %s give their place back', async (_, answer) => {
  const { store, statuses } = startPaced((request, number) =>
    number % 3 === 0 ? answer(request, number) : json([]),
  )
  const calls = times(70, () => store.listPets())
  await passUntilDone(calls)
  const outcomes = (await calls).map(({ status }) => status)
  expect(outcomes.filter((outcome) => outcome === 'rejected')).toHaveLength(23)
  expect(statuses).not.toContain(429)
})

test('calls that end in nothing from the first on give their place back', async () => {
  const { store } = watch(() => Promise.reject(new TypeError('fetch failed')), {
    pacer: createPacer(),
  })
  const calls = times(30, () => store.listPets())
  await passUntilDone(calls)
  for (const { status } of await calls) expect(status).toBe('rejected')
})

test('an answer that takes too long gives its place back', async () => {
  const { store } = watch((_, number) => (number < 4 ? new Promise(() => undefined) : json([])), {
    pacer: createPacer(),
  })
  const calls = times(8, () => store.listPets())
  await passUntilDone(calls)
  const outcomes = (await calls).map(({ status }) => status)
  expect(outcomes.filter((outcome) => outcome === 'fulfilled')).toHaveLength(5)
})

test('a call that has an end of its own does not wait beyond it', async () => {
  const { store, requests } = startPaced()
  await passUntilDone(times(20, () => store.listPets()))
  const late = store.listPets({}, { timeout: { total: 10_000 } })
  const code = late.catch((error: AnimalStoreError) => error.code)
  await passUntilDone(code)
  expect(await code).toBe('timeout')
  expect(requests).toHaveLength(20)
})

test('whoever wants no second attempt is told of a refusal at once', async () => {
  const { answering } = createLimitedService({ perMinute: 1, perDay: 9 })
  const first = watch(answering).store.listPets()
  await passUntilDone(Promise.resolve(first))
  const refused = watch(answering, { pacer: createPacer(), retry: false }).store.listPets()
  const code = refused.catch((error: AnimalStoreError) => error.code)
  await passUntilDone(code)
  expect(await code).toBe('rate_limited')
})

test('a service that was away for an hour holds nobody up when it is back, whatever is left', async () => {
  let isAway = false
  const { answering } = createLimitedService({ perMinute: 20, perDay: 15 })
  const { store } = watch(
    (request, number) =>
      isAway ? Promise.reject(new TypeError('fetch failed')) : answering(request, number),
    { pacer: createPacer() },
  )
  await passUntilDone(times(10, () => store.listPets()))
  isAway = true
  const from = Date.now()
  for (let minutes = 0; minutes < 60; minutes++) {
    await passUntilDone(store.listPets().catch(() => undefined))
    await vi.advanceTimersByTimeAsync(60_000)
  }
  isAway = false
  await passUntilDone(times(5, () => store.listPets()))
  // The end of the day is not waited for.
  expect((Date.now() - from) / 60_000).toBeLessThan(62)
})

test('a paced call that is refused waits for hours, but for no more attempts than it is given', async () => {
  const refusal = { code: 'rate_limited', message: 'Retry later.', status: 429 }
  const refuse = () => json(refusal, { status: 429, headers: { 'Retry-After': '7200' } })
  const answering: Answering = (_, number) => (number > 6 ? json([]) : refuse())
  const patient = watch(answering, { pacer: createPacer(), retry: {} })
  expect(await passUntilDone(Promise.resolve(patient.store.listPets()))).toBe(6 * 120)
  const retry = { attempts: 3, longestRetryAfter: 7_200_000 }
  const other = watch(answering, { pacer: createPacer(), retry })
  const code = other.store.listPets().catch((error: AnimalStoreError) => error.code)
  await passUntilDone(code)
  expect(await code).toBe('rate_limited')
  expect(other.requests).toHaveLength(3)
})
