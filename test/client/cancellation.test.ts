import { getEventListeners } from 'node:events'
import { afterEach, expect, test, vi } from 'vitest'
import type { AnimalStore, AnimalStoreOptions } from '../../client/index.ts'
import {
  type Behaviour,
  emptyPage,
  resetAfter,
  resetBefore,
  respond,
  respondEndlessly,
  respondError,
  stall,
  stallInBody,
  startScriptedStore,
  truncated,
} from './support/scripted-server.ts'
import { failureOf, json, reasonOf, watch } from './support/watched-store.ts'

afterEach(() => vi.restoreAllMocks())

const rex = { name: 'Rex', categoryId: 7 }

type Call = (store: AnimalStore, signal: AbortSignal) => PromiseLike<unknown>

const calls: readonly [string, Call][] = [
  ['createPet', (store, signal) => store.createPet(rex, { signal })],
  ['getPet', (store, signal) => store.getPet(1, { signal })],
  ['listPets', (store, signal) => store.listPets({}, { signal })],
  ['iterating listPets', (store, signal) => Array.fromAsync(store.listPets({}, { signal }))],
  ['raw.GET', (store, signal) => store.raw.GET('/pets', { signal })],
]

/** Aborts when the request has arrived. */
function abortOnArrival(controller: AbortController, reason: unknown): Behaviour {
  return { act: () => controller.abort(reason) }
}

test.each(calls)('%s with an aborted signal sends nothing', async (_, call) => {
  const reason = { why: 'not wanted' }
  const { store, requests } = await startScriptedStore([emptyPage])
  expect(await reasonOf(call(store, AbortSignal.abort(reason)))).toBe(reason)
  await store.listPets()
  expect(requests).toHaveLength(1)
})

test.each(calls)('%s aborted while it waits for the response ends at once', async (_, call) => {
  const [controller, reason] = [new AbortController(), new Error('Enough.')]
  const { store, requests } = await startScriptedStore([abortOnArrival(controller, reason)])
  expect(await reasonOf(call(store, controller.signal))).toBe(reason)
  await requests[0]?.closed
  expect(requests).toHaveLength(1)
})

test.each(calls)('%s aborted in the middle of the body ends at once', async (_, call) => {
  const [controller, reason] = [new AbortController(), new Error('Enough.')]
  const { store, requests } = await startScriptedStore([stallInBody], {
    onRateLimit: () => void setImmediate(() => controller.abort(reason)),
  })
  expect(await reasonOf(call(store, controller.signal))).toBe(reason)
  await requests[0]?.closed
  expect(requests).toHaveLength(1)
})

test.each(calls)('%s aborted between two attempts is not sent again', async (_, call) => {
  const [controller, reason] = [new AbortController(), new Error('Enough.')]
  const { store, requests } = await startScriptedStore([respondError(503)], {
    retry: { backoff: 60_000, longestBackoff: 60_000 },
    onRetry: () => void setImmediate(() => controller.abort(reason)),
  })
  expect(await reasonOf(call(store, controller.signal))).toBe(reason)
  expect(requests).toHaveLength(1)
})

test('a call aborted in a callback rejects with the reason, and is not sent again', async () => {
  const [controller, reason] = [new AbortController(), new Error('Enough.')]
  const { store, requests } = await startScriptedStore([respondError(503), emptyPage], {
    onRetry: () => controller.abort(reason),
  })
  expect(await reasonOf(store.getPet(1, { signal: controller.signal }))).toBe(reason)
  await store.listPets()
  expect(requests).toHaveLength(2)
})

test('without a reason of its own a call rejects with AbortError or TimeoutError', async () => {
  const controller = new AbortController()
  const { store } = await startScriptedStore([abortOnArrival(controller, undefined), stall])
  const reason = await reasonOf(store.getPet(1, { signal: controller.signal }))
  expect(reason).toBe(controller.signal.reason)
  expect(reason).toMatchObject({ name: 'AbortError' })
  const signal = AbortSignal.timeout(20)
  expect(await reasonOf(store.getPet(1, { signal }))).toBe(signal.reason)
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' })
})

test.each([null, 0, '', false])('a call aborted with the reason %j rejects', async (reason) => {
  const controller = new AbortController()
  const { store } = await startScriptedStore([abortOnArrival(controller, reason)])
  const call = store.getPet(1, { signal: controller.signal })
  expect(await reasonOf(call)).toEqual(new Error('aborted'))
})

test('a fetch that ignores signals is not awaited, and its late response is ignored', async () => {
  const [controller, reason] = [new AbortController(), new Error('Enough.')]
  const late = Promise.withResolvers<Response>()
  const onRetry = vi.fn()
  const { store, requests } = watch(() => late.promise, { onRetry, retry: {} })
  const call = reasonOf(store.getPet(1, { signal: controller.signal }))
  await vi.waitFor(() => expect(requests).toHaveLength(1))
  controller.abort(reason)
  expect(await call).toBe(reason)
  late.resolve(json(null, { status: 503 }))
  await new Promise(setImmediate)
  expect(onRetry).not.toHaveBeenCalled()
  expect(requests).toHaveLength(1)
})

test('a signal works where there is no AbortSignal.any', async () => {
  const any = Object.getOwnPropertyDescriptor(AbortSignal, 'any')
  Object.defineProperty(AbortSignal, 'any', { value: undefined, configurable: true })
  try {
    const controller = new AbortController()
    const { store } = watch(() => {
      controller.abort()
      return new Promise(() => undefined)
    })
    const reason = await reasonOf(store.listPets({}, { signal: controller.signal }))
    expect(reason).toMatchObject({ name: 'AbortError' })
  } finally {
    if (any !== undefined) Object.defineProperty(AbortSignal, 'any', any)
  }
})

test('a long-lived signal keeps no listener of finished calls', async () => {
  const { signal } = new AbortController()
  const warn = vi.spyOn(process, 'emitWarning')
  const failures = [respondError(503), resetAfter, truncated, respondError(404)]
  const { store, requests } = await startScriptedStore([...failures, emptyPage], {
    retry: { backoff: 0 },
  })
  expect((await failureOf(store.listPets({}, { signal }))).status).toBe(404)
  const idle = await startScriptedStore([stall], { timeout: { total: 20 } })
  expect((await failureOf(idle.store.listPets({}, { signal }))).code).toBe('timeout')
  expect(getEventListeners(signal, 'abort')).toEqual([])
  for (const _ of Array(100).keys()) await store.listPets({}, { signal })
  await Promise.all(Array.from({ length: 50 }, () => store.listPets({}, { signal })))
  expect(getEventListeners(signal, 'abort')).toEqual([])
  expect(warn).not.toHaveBeenCalled()
  expect(requests).toHaveLength(154)
})

test('an endless response is cancelled before the next attempt has its response', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const whenGone: Behaviour = { act: (socket) => void promise.then(() => emptyPage.act(socket)) }
  const { store, requests } = await startScriptedStore([respondEndlessly(503), whenGone])
  const call = Promise.resolve(store.listPets())
  await vi.waitFor(() => expect(requests).toHaveLength(2))
  await requests[0]?.closed
  resolve()
  expect([...(await call)]).toEqual([])
})

test('retried responses do not use up the connections of a pool', async () => {
  const large = respond(503, 'x'.repeat(1_000_000))
  const { store, requests } = await startScriptedStore([...Array(50).fill(large), emptyPage], {
    retry: { attempts: 51, backoff: 0 },
  })
  expect([...(await store.listPets())]).toEqual([])
  expect(requests).toHaveLength(51)
  await Promise.all(requests.slice(0, 50).map(({ closed }) => closed))
})

const closeLater: Behaviour = {
  act(socket) {
    emptyPage.act(socket)
    setImmediate(() => socket.end())
  },
}
const closeOnArrival: Behaviour = { atOnce: true, act: (socket) => socket.destroy() }
const patient: Partial<AnimalStoreOptions> = { retry: { backoff: 1, attempts: 10 } }

test.each([
  ['closes an idle connection as the next request arrives', [emptyPage, closeOnArrival]],
  ['resets an idle connection as the next request arrives', [emptyPage, resetBefore]],
  ['closes every connection while the next request may be on its way', [closeLater]],
])('a server that %s fails no call', async (_, behaviours) => {
  const script = Array<readonly Behaviour[]>(20).fill(behaviours).flat()
  const { store } = await startScriptedStore([...script, emptyPage], patient)
  for (const _ of Array(20).keys()) expect([...(await store.listPets())]).toEqual([])
})
