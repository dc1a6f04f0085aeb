import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AnimalStoreOptions, Retry, TimeoutOptions } from '../../client/index.ts'
import { created, emptyPage, refuse, stall, stallInBody } from './support/behaviours.ts'
import { failureOf } from './support/failure-of.ts'
import { after, pass, skip } from './support/passing-time.ts'
import type { Behaviour } from './support/scripted-server.ts'
import { startScriptedStore } from './support/scripted-store.ts'

// The timers and the clock of our client alone: those beneath `fetch` are not reached.
beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
beforeEach(() => vi.spyOn(Math, 'random').mockReturnValue(0))
afterEach(() => vi.useRealTimers())
afterEach(() => vi.restoreAllMocks())

const rex = { name: 'Rex', categoryId: 7 }
const limit = { 'X-RateLimit-Limit': '9', 'X-RateLimit-Remaining': '9', 'X-RateLimit-Reset': '9' }

/** A client whose waits are cut short. */
function start(behaviours: readonly Behaviour[], options: Partial<AnimalStoreOptions> = {}) {
  return startScriptedStore(behaviours, { onRetry: skip, ...options })
}

test('an attempt without an answer ends after 30 seconds, and another follows', async () => {
  const told: Retry[] = []
  const { store, requests } = await start([after(30_000, stall), after(30_000, stall), created], {
    onRetry(retry) {
      told.push(retry)
      skip(retry)
    },
  })
  expect(await store.createPet(rex)).toMatchObject({ id: 1 })
  expect(told).toMatchObject([{ attempt: 1 }, { attempt: 2 }])
  expect(told.map(({ status }) => status)).toEqual([undefined, undefined])
  const cause = 'TimeoutError: It took too long.'
  expect(told.map((retry) => String(retry.cause))).toEqual([cause, cause])
  expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  expect(requests).toHaveLength(3)
  await Promise.all(requests.slice(0, 2).map(({ closed }) => closed))
})

test('an attempt whose answer stops in the middle ends too, and another follows', async () => {
  const { store, requests } = await start([stallInBody(limit), emptyPage], {
    onRateLimit: () => void pass(30_000),
  })
  expect([...(await store.listPets())]).toEqual([])
  expect(requests).toHaveLength(2)
  await requests[0]?.closed
})

test('no attempt ends before its time', async () => {
  const over = vi.fn()
  const { promise, resolve } = Promise.withResolvers<void>()
  const { store } = await start([{ act: () => resolve() }], { retry: false })
  const call = failureOf(store.listPets()).finally(over)
  await promise
  await pass(29_999)
  expect(over).not.toHaveBeenCalled()
  await pass(1)
  expect((await call).code).toBe('timeout')
})

test('when every attempt stalls, the error says that the time was over', async () => {
  const { store, requests } = await start([after(2_500, stall)], { timeout: { attempt: 2_500 } })
  const error = await failureOf(store.listPets())
  expect(error).toMatchObject({ code: 'timeout', attempts: 4 })
  expect(error.message).toBe('No answer to listPets came in time (attempts: 4).')
  expect(error.status).toBeUndefined()
  expect(error.cause).toMatchObject({ name: 'TimeoutError', message: 'It took too long.' })
  expect(requests).toHaveLength(4)
})

test('the deadline of the call ends an attempt, and no other follows', async () => {
  const { store, requests } = await start([after(120_000, stall)], {
    timeout: { attempt: 150_000 },
  })
  const error = await failureOf(store.listPets())
  expect(error).toMatchObject({ code: 'timeout', attempts: 1 })
  expect(error.message).toBe('No answer to listPets came in time (attempts: 1).')
  expect(error.cause).toMatchObject({ message: 'It took too long.' })
  await requests[0]?.closed
  expect(requests).toHaveLength(1)
})

test('the deadline ends a call whose attempts each keep to their time', async () => {
  const { store, requests } = await start([after(50_000, stall)], {
    timeout: { attempt: 50_000 },
    retry: { attempts: Number.POSITIVE_INFINITY },
  })
  const error = await failureOf(store.listPets())
  expect(error).toMatchObject({ code: 'timeout', attempts: 3 })
  expect(error.cause).toMatchObject({ message: 'It took too long.' })
  expect(requests).toHaveLength(3)
})

test.each([
  ['by Retry-After', refuse(503, { 'Retry-After': '50' })],
  ['by chance', refuse(503)],
])('a wait that would end after the deadline, %s, is not begun', async (_, fault) => {
  vi.mocked(Math.random).mockReturnValue(0.9)
  const onRetry = vi.fn()
  const { store, requests } = await start([fault, emptyPage], {
    timeout: { total: 40_000 },
    retry: { backoff: 50_000, longestBackoff: 50_000 },
    onRetry,
  })
  expect(await failureOf(store.listPets())).toMatchObject({ code: 'code_503', attempts: 1 })
  expect(onRetry).not.toHaveBeenCalled()
  expect(requests).toHaveLength(1)
})

test.each<[TimeoutOptions, number]>([
  [{}, 20],
  [{ attempt: 10 }, 10],
  [{ attempt: 40 }, 30],
  [{ total: 15 }, 15],
  [{ attempt: 40, total: 35 }, 35],
])('the times %j of a call win over those of the client, one by one', async (timeout, end) => {
  const client = { timeout: { attempt: 20, total: 30 }, retry: false } as const
  const { store } = await start([after(50, stall)], client)
  const begin = performance.now()
  const ended = failureOf(store.getPet(1, { timeout })).then(() => performance.now() - begin)
  expect(await ended).toBe(end)
})

test('a POST without a key that stalls is not sent again', async () => {
  const { store, requests } = await start([after(30_000, stall)])
  const error = await failureOf(store.raw.POST('/pets', { body: rex }))
  expect(error).toMatchObject({ code: 'timeout', attempts: 1 })
  expect(requests).toHaveLength(1)
})

test('a fetch that takes no notice of signals is not waited for, nor heard when it is late', async () => {
  const late = Promise.withResolvers<Response>()
  const [onRetry, fetch] = [vi.fn(skip), vi.fn(async () => Response.json([]))]
  fetch.mockImplementationOnce(() => {
    void pass(30_000)
    return late.promise
  })
  const { store } = await start([], { fetch, onRetry })
  expect([...(await store.listPets())]).toEqual([])
  late.resolve(Response.json(null, { status: 503 }))
  await pass(0)
  expect(onRetry).toHaveBeenCalledTimes(1)
  expect(fetch).toHaveBeenCalledTimes(2)
})
