import { getEventListeners } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { AnimalStore, AnimalStoreOptions } from '../../client/index.ts'
import { failureOf, json, reasonOf, rex, watch } from './support/client.ts'
import {
  type Behaviour,
  emptyPage,
  reset,
  respondEndlessly,
  respondError,
  stall,
  stallInBody,
  startScriptedStore,
  truncated,
} from './support/scripted-server.ts'

type Call = (store: AnimalStore, signal: AbortSignal) => PromiseLike<unknown>

const calls: readonly Call[] = [
  (store, signal) => store.createPet(rex, { signal }),
  (store, signal) => store.listPets({}, { signal }),
  (store, signal) => Array.fromAsync(store.listPets({}, { signal })),
  (store, signal) => store.raw.GET('/pets', { signal }),
]

test.each(calls)('a call with an aborted signal sends nothing (%s)', async (call) => {
  const reason = { why: 'not wanted' }
  const { store, requests } = await startScriptedStore([emptyPage])
  expect(await reasonOf(call(store, AbortSignal.abort(reason)))).toBe(reason)
  await store.listPets()
  expect(requests).toHaveLength(1)
})

const rejected = respondError(503)
type Situation = (abort: () => void) => [Behaviour, Partial<AnimalStoreOptions>?]

test.each<[string, Situation]>([
  ['waits for the response', (abort) => [abort]],
  ['reads the body', (abort) => [stallInBody, { onRateLimit: () => void setImmediate(abort) }]],
  [
    'waits',
    (abort) => [rejected, { maxRetryDelay: 60_000, onRetry: () => void setImmediate(abort) }],
  ],
  ['is in a callback', (abort) => [rejected, { onRetry: abort }]],
])('a call that is aborted while it %s ends at once with the reason', async (_, situation) => {
  for (const call of calls) {
    const [controller, reason] = [new AbortController(), new Error('Enough.')]
    const [behaviour, options] = situation(() => controller.abort(reason))
    const { store, requests } = await startScriptedStore([behaviour], options)
    expect(await reasonOf(call(store, controller.signal)), `${call}`).toBe(reason)
    if (behaviour !== rejected) await expect.poll(() => requests[0]?.socket.destroyed).toBe(true)
    expect(requests, `${call}`).toHaveLength(1)
  }
})

test('a fetch that ignores signals is not awaited, and its late response is ignored', async () => {
  const [controller, reason] = [new AbortController(), new Error('Enough.')]
  const late = Promise.withResolvers<Response>()
  const respond = () => {
    setImmediate(() => controller.abort(reason))
    return late.promise
  }
  const { store, requests, retries } = watch(respond, { maxRetries: 3 })
  expect(await reasonOf(store.getPet(1, { signal: controller.signal }))).toBe(reason)
  late.resolve(json(null, { status: 503 }))
  await new Promise(setImmediate)
  expect([requests.length, retries.length]).toEqual([1, 0])
})

test('a signal works where there is no AbortSignal.any', async () => {
  const { any } = AbortSignal
  onTestFinished(() => void Object.assign(AbortSignal, { any }))
  Object.assign(AbortSignal, { any: undefined })
  const controller = new AbortController()
  const { store } = await startScriptedStore([() => controller.abort()])
  const reason = await reasonOf(store.listPets({}, { signal: controller.signal }))
  expect(reason).toMatchObject({ name: 'AbortError' })
})

test('a long-lived signal keeps no listener of finished calls', async () => {
  const { signal } = new AbortController()
  const warn = vi.spyOn(process, 'emitWarning')
  const failures = [respondError(503), reset, truncated, respondError(404)]
  const { store, requests } = await startScriptedStore([...failures, emptyPage])
  expect((await failureOf(store.listPets({}, { signal }))).status).toBe(404)
  const idle = await startScriptedStore([stall], { totalTimeout: 20 })
  expect((await failureOf(idle.store.listPets({}, { signal }))).code).toBe('timeout')
  expect(getEventListeners(signal, 'abort')).toEqual([])
  for (const _ of Array(50).keys()) await store.listPets({}, { signal })
  await Promise.all(Array.from({ length: 50 }, () => store.listPets({}, { signal })))
  expect(getEventListeners(signal, 'abort')).toEqual([])
  expect(warn).not.toHaveBeenCalled()
  expect(requests).toHaveLength(104)
})

test('an endless response is cancelled before the next attempt', async () => {
  const { store, requests } = await startScriptedStore([respondEndlessly(503), emptyPage])
  await store.listPets()
  await expect.poll(() => requests[0]?.socket.destroyed).toBe(true)
})
