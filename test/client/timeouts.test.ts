import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AnimalStoreOptions, Retry, TimeoutOptions } from '../../client/index.ts'
import { failureOf, json, type Respond, watch } from './support/watched-store.ts'

// Time passes as fast as the client waits for it.
beforeEach(() => {
  const toFake = ['Date', 'performance', 'setTimeout', 'clearTimeout'] as const
  vi.useFakeTimers({ toFake: [...toFake] }).setTimerTickMode('nextTimerAsync')
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(() => vi.useRealTimers())
afterEach(() => vi.restoreAllMocks())

const rex = { name: 'Rex', categoryId: 7 }
const error = { code: 'unavailable', message: 'Retry later.' }

const stall: Respond = (request) =>
  new Promise((_, reject) => {
    request.signal.addEventListener('abort', () => reject(request.signal.reason))
  })
const stallInBody: Respond = ({ signal }) => {
  const start = (body: ReadableStreamDefaultController) => {
    body.enqueue(new TextEncoder().encode('['))
    signal.addEventListener('abort', () => body.error(signal.reason))
  }
  return new Response(new ReadableStream({ start }))
}

/** Creates a client whose requests meet one behaviour each; the last handles all that follow. */
function start(behaviours: readonly Respond[], options: Partial<AnimalStoreOptions> = {}) {
  const respond: Respond = (request, number) =>
    behaviours[Math.min(number, behaviours.length) - 1]?.(request, number) ?? json([])
  return watch(respond, { retry: {}, ...options })
}

/** Returns the milliseconds until a call fails, and its error. */
async function timeOf(call: PromiseLike<unknown>) {
  const from = performance.now()
  const { code, attempts } = await failureOf(call)
  return { time: performance.now() - from, code, attempts }
}

test('an attempt without a response ends after 30 seconds, and is retried', async () => {
  const events: Retry[] = []
  const { store, requests } = start([stall, stall, () => json(rex, { status: 201 })], {
    onRetry: (retry) => events.push(retry),
  })
  const from = performance.now()
  expect(await store.createPet(rex)).toEqual(rex)
  expect(performance.now() - from).toBe(60_000)
  const cause = expect.objectContaining({ name: 'TimeoutError' })
  expect(events).toMatchObject([
    { attempt: 1, status: undefined, cause },
    { attempt: 2, status: undefined, cause },
  ])
  const keys = requests.map(({ headers }) => headers.get('idempotency-key'))
  expect(new Set(keys).size).toBe(1)
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, true, false])
})

test('an attempt whose body stalls ends too, and is retried', async () => {
  const { store, requests } = start([stallInBody, () => json([])])
  expect([...(await store.listPets())]).toEqual([])
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false])
})

test('when every attempt stalls, the error has the code timeout', async () => {
  const { store, requests } = start([stall], { timeout: { attempt: 2_500 } })
  const error = await failureOf(store.listPets())
  expect(error).toMatchObject({ code: 'timeout', operationId: 'listPets', attempts: 4 })
  expect(error.message).toMatch(/listPets.*4/)
  expect(error.status).toBeUndefined()
  expect(error.cause).toMatchObject({ name: 'TimeoutError' })
  expect(requests).toHaveLength(4)
})

test('the deadline of the call, 120 seconds, ends an attempt, and no other follows', async () => {
  const { store, requests } = start([stall], { timeout: { attempt: 150_000 } })
  expect(await timeOf(store.listPets())).toEqual({ time: 120_000, code: 'timeout', attempts: 1 })
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true])
})

test('the deadline ends a call whose attempts each keep to their timeout', async () => {
  const { store, requests } = start([stall], {
    timeout: { attempt: 50_000 },
    retry: { attempts: Number.POSITIVE_INFINITY },
  })
  expect(await timeOf(store.listPets())).toEqual({ time: 120_000, code: 'timeout', attempts: 3 })
  expect(requests).toHaveLength(3)
})

test.each([
  ['of Retry-After', { 'Retry-After': '50' }],
  ['of the backoff', {}],
])('a wait %s beyond the deadline is not started', async (_, headers) => {
  vi.mocked(Math.random).mockReturnValue(0.9)
  const onRetry = vi.fn()
  const { store, requests } = start([() => json(error, { status: 503, headers })], {
    timeout: { total: 40_000 },
    retry: { backoff: 50_000, longestBackoff: 50_000 },
    onRetry,
  })
  expect(await timeOf(store.listPets())).toEqual({ time: 0, code: 'unavailable', attempts: 1 })
  expect(onRetry).not.toHaveBeenCalled()
  expect(requests).toHaveLength(1)
})

test('a wait that ends before the deadline is taken', async () => {
  const headers = { 'Retry-After': '40' }
  const { store } = start([() => json(error, { status: 503, headers }), () => json([])])
  expect([...(await store.listPets({}, { timeout: { total: 41_000 } }))]).toEqual([])
})

test.each<[TimeoutOptions | undefined, number]>([
  [undefined, 20],
  [{}, 20],
  [{ attempt: 10 }, 10],
  [{ attempt: 40 }, 30],
  [{ total: 15 }, 15],
  [{ attempt: 40, total: 35 }, 35],
])('timeout %j of a call overrides that of the client one by one', async (timeout, time) => {
  const { store } = start([stall], { timeout: { attempt: 20, total: 30 }, retry: false })
  const call = Reflect.apply(store.getPet, store, [1, { timeout }])
  expect(await timeOf(call)).toEqual({ time, code: 'timeout', attempts: 1 })
})

test('a POST without an idempotency key that stalls is not sent again', async () => {
  const { store, requests } = start([stall])
  const error = await failureOf(store.raw.POST('/pets', { body: rex }))
  expect(error).toMatchObject({ code: 'timeout', attempts: 1 })
  expect(requests).toHaveLength(1)
})

test('a fetch that ignores signals is not awaited, and its late response is ignored', async () => {
  const late = Promise.withResolvers<Response>()
  const onRetry = vi.fn()
  const { store, requests } = start([() => late.promise, () => json([])], { onRetry })
  expect([...(await store.listPets())]).toEqual([])
  late.resolve(json(error, { status: 503 }))
  await new Promise(setImmediate)
  expect(onRetry).toHaveBeenCalledTimes(1)
  expect(requests).toHaveLength(2)
})

const longestTimer = 2 ** 31 - 1

test.each([2 ** 31, 2 ** 40, Number.MAX_VALUE, Number.POSITIVE_INFINITY])(
  'a timeout of %d ms, more than a timer takes, does not end at once',
  async (time) => {
    const warn = vi.spyOn(process, 'emitWarning')
    const respondLate: Respond = async () => {
      await new Promise((resolve) => setTimeout(resolve, longestTimer - 1))
      return json([])
    }
    const { store, requests } = start([respondLate], { timeout: { attempt: time, total: time } })
    expect([...(await store.listPets())]).toEqual([])
    expect(requests).toHaveLength(1)
    expect(warn).not.toHaveBeenCalled()
  },
)
