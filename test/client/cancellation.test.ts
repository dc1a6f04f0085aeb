import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import type { AnimalStore, AnimalStoreOptions } from '../../client/index.ts'
import { emptyPage, refuse, stall, stallInBody } from './support/behaviours.ts'
import type { Behaviour } from './support/scripted-server.ts'
import { startScriptedStore } from './support/scripted-store.ts'

afterEach(() => vi.restoreAllMocks())

const rex = { name: 'Rex', categoryId: 7 }
const limit = { 'X-RateLimit-Limit': '9', 'X-RateLimit-Remaining': '9', 'X-RateLimit-Reset': '9' }
const patient: Partial<AnimalStoreOptions> = { retry: { backoff: 60_000, longestBackoff: 60_000 } }

type Call = (store: AnimalStore, signal: AbortSignal) => PromiseLike<unknown>

const calls: readonly [string, Call][] = [
  ['createPet', (store, signal) => store.createPet(rex, { signal })],
  ['getPet', (store, signal) => store.getPet(1, { signal })],
  ['listPets', (store, signal) => store.listPets({}, { signal })],
  ['a walk of listPets', (store, signal) => Array.fromAsync(store.listPets({}, { signal }))],
  ['a GET beneath the methods', (store, signal) => store.raw.GET('/pets', { signal })],
]

/** What a call ends with. */
async function reasonOf(call: PromiseLike<unknown>): Promise<unknown> {
  try {
    await call
  } catch (reason) {
    return reason
  }
  throw new Error('The call succeeded.')
}

/** A request that has arrived calls its caller off. */
function abortedBy(controller: AbortController, reason: unknown, { act }: Behaviour): Behaviour {
  return {
    act(socket) {
      act(socket)
      controller.abort(reason)
    },
  }
}

test.each(calls)('%s that was called off before it began sends nothing', async (_, call) => {
  const reason = { why: 'not wanted' }
  const { store, requests } = await startScriptedStore([emptyPage])
  expect(await reasonOf(call(store, AbortSignal.abort(reason)))).toBe(reason)
  await store.listPets()
  expect(requests).toHaveLength(1)
})

test.each(calls)('%s that is called off while the service works on it ends', async (_, call) => {
  const [controller, reason] = [new AbortController(), new Error('Enough.')]
  const behaviour = abortedBy(controller, reason, stall)
  const { store, requests } = await startScriptedStore([behaviour])
  expect(await reasonOf(call(store, controller.signal))).toBe(reason)
  await requests[0]?.closed
  expect(requests).toHaveLength(1)
})

test.each(calls)('%s that is called off in the middle of the answer ends', async (_, call) => {
  const [controller, reason] = [new AbortController(), new Error('Enough.')]
  const { store, requests } = await startScriptedStore([stallInBody(limit)], {
    onRateLimit: () => void setImmediate(() => controller.abort(reason)),
  })
  expect(await reasonOf(call(store, controller.signal))).toBe(reason)
  await requests[0]?.closed
  expect(requests).toHaveLength(1)
})

test.each(calls)(
  '%s that is called off between two attempts ends, and is not sent again',
  async (_, call) => {
    const [controller, reason] = [new AbortController(), new Error('Enough.')]
    const { store, requests } = await startScriptedStore([refuse(503)], {
      ...patient,
      onRetry: () => void setImmediate(() => controller.abort(reason)),
    })
    expect(await reasonOf(call(store, controller.signal))).toBe(reason)
    expect(requests).toHaveLength(1)
  },
)

test('whoever calls it off in a callback gets the reason, and nothing is sent again', async () => {
  const [controller, reason] = [new AbortController(), new Error('Enough.')]
  const { store, requests } = await startScriptedStore([refuse(503), emptyPage], {
    onRetry: () => controller.abort(reason),
  })
  expect(await reasonOf(store.getPet(1, { signal: controller.signal }))).toBe(reason)
  await store.listPets()
  expect(requests).toHaveLength(2)
})

test('without a reason of its own it is the usual AbortError, and a TimeoutError by time', async () => {
  const controller = new AbortController()
  const behaviour = abortedBy(controller, undefined, stall)
  const { store } = await startScriptedStore([behaviour, stall])
  const reason = await reasonOf(store.getPet(1, { signal: controller.signal }))
  expect(reason).toBe(controller.signal.reason)
  expect(reason).toMatchObject({ name: 'AbortError' })
  const signal = AbortSignal.timeout(20)
  expect(await reasonOf(store.getPet(1, { signal }))).toBe(signal.reason)
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' })
})

test.each([null, 0, '', false])(
  'a call that is called off with %j fails as well',
  async (reason) => {
    const controller = new AbortController()
    const { store } = await startScriptedStore([abortedBy(controller, reason, stall)])
    const thrown = await reasonOf(store.getPet(1, { signal: controller.signal }))
    expect(thrown).toEqual(new Error('aborted'))
  },
)

test('a fetch that takes no notice of signals is not waited for, and nothing comes of it', async () => {
  const [controller, reason] = [new AbortController(), new Error('Enough.')]
  const { promise, resolve } = Promise.withResolvers<Response>()
  const [onRetry, fetch] = [vi.fn(), vi.fn(() => promise)]
  const { store } = await startScriptedStore([], { fetch, onRetry })
  const call = reasonOf(store.getPet(1, { signal: controller.signal }))
  await vi.waitFor(() => expect(fetch).toHaveBeenCalled())
  controller.abort(reason)
  expect(await call).toBe(reason)
  resolve(new Response(undefined, { status: 503 }))
  await sleep(10)
  expect(onRetry).not.toHaveBeenCalled()
  expect(fetch).toHaveBeenCalledTimes(1)
})
