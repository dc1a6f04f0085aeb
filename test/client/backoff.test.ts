import { afterEach, expect, test, vi } from 'vitest'
import type { AnimalStoreOptions, Retry, RetryOptions } from '../../client/index.ts'
import { answer, emptyPage, refuse, resetAfter, truncated } from './support/behaviours.ts'
import { failureOf } from './support/failure-of.ts'
import { startScriptedStore } from './support/scripted-store.ts'

afterEach(() => vi.useRealTimers())
afterEach(() => vi.restoreAllMocks())

/** A client of a server that never succeeds; its waits are cut short and noted. */
async function startWithoutSuccess(options: Partial<AnimalStoreOptions>) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const delays: number[] = []
  const { store, requests } = await startScriptedStore([refuse(503)], {
    onRetry({ delay }) {
      delays.push(delay)
      setImmediate(() => vi.advanceTimersByTime(delay))
    },
    ...options,
  })
  return { store, requests, delays }
}

const almostOne = 1 - 2 ** -53

test.each<[string, number, RetryOptions, number[]]>([
  ['doubles', almostOne, {}, [500, 1_000, 2_000]],
  [
    'is capped at 8 seconds',
    almostOne,
    { attempts: 8 },
    [500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000],
  ],
  ['is capped where told', almostOne, { longestBackoff: 1_500 }, [500, 1_000, 1_500]],
  ['begins where told', almostOne, { backoff: 10 }, [10, 20, 40]],
  ['may be nothing by chance', 0, {}, [0, 0, 0]],
  ['may be anything between by chance', 0.25, {}, [125, 250, 500]],
  ['never comes with one attempt', almostOne, { attempts: 1 }, []],
])('the longest wait %s', async (_, chance, retry, longest) => {
  vi.spyOn(Math, 'random').mockReturnValue(chance)
  const { store, requests, delays } = await startWithoutSuccess({ retry })
  const error = await failureOf(store.listPets())
  expect(delays.map(Math.round)).toEqual(longest)
  expect(Math.max(0, ...delays)).toBeLessThanOrEqual(Math.max(0, ...longest))
  expect(error.attempts).toBe(longest.length + 1)
  expect(requests).toHaveLength(longest.length + 1)
})

test('no wait grows beyond its cap, however many attempts there are', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(almostOne)
  const retry = { attempts: 1_200, backoff: 1, longestBackoff: 2 }
  const { store, delays } = await startWithoutSuccess({ retry })
  expect((await failureOf(store.listPets())).attempts).toBe(1_200)
  expect(delays.map(Math.round)).toEqual([1, ...Array(1_198).fill(2)])
})

test('a client without retries asks once, unless a call wants more', async () => {
  const { store, requests } = await startScriptedStore([refuse(503)], { retry: false })
  expect((await failureOf(store.listPets())).attempts).toBe(1)
  expect((await store.raw.GET('/pets')).response.status).toBe(503)
  expect(requests).toHaveLength(2)
  expect((await failureOf(store.getPet(1, { retry: { backoff: 1 } }))).attempts).toBe(4)
})

test('the rules of a call win over those of the client, one by one', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const { store, delays } = await startWithoutSuccess({ retry: { attempts: 3, backoff: 20 } })
  const calls: [RetryOptions | false | undefined, number[]][] = [
    [{ backoff: 40 }, [20, 40]],
    [{ attempts: 2 }, [10]],
    [{ longestBackoff: 30 }, [10, 15]],
    [{}, [10, 20]],
    [undefined, [10, 20]],
    [false, []],
  ]
  for (const [retry, expected] of calls) {
    await failureOf(store.getPet(1, retry === undefined ? {} : { retry }))
    expect(delays.splice(0)).toEqual(expected)
  }
})

test('onRetry is told of the attempt that failed, of the wait, and of what went wrong', async () => {
  const told: Retry[] = []
  const html = answer(502, '<html>', { 'Content-Type': 'text/html' })
  const faults = [html, resetAfter, refuse(429), truncated]
  const { store } = await startScriptedStore([...faults, emptyPage], {
    retry: { attempts: 5, backoff: 2 },
    onRetry: (retry) => told.push(retry),
  })
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  await store.listPets()
  const [operationId, cause] = ['listPets', expect.any(TypeError)]
  expect(told).toEqual([
    { operationId, attempt: 1, delay: 1, status: 502, cause: undefined },
    { operationId, attempt: 2, delay: 2, status: undefined, cause },
    { operationId, attempt: 3, delay: 4, status: 429, cause: undefined },
    { operationId, attempt: 4, delay: 8, status: undefined, cause },
  ])
})

test('onRetry is not told where nothing is repeated', async () => {
  const onRetry = vi.fn()
  const { store } = await startScriptedStore([refuse(400), refuse(503)], { onRetry })
  await failureOf(store.listPets())
  await failureOf(store.listPets({}, { retry: { attempts: 1 } }))
  await store.raw.POST('/pets', { body: { name: 'Rex', categoryId: 7 } })
  expect(onRetry).not.toHaveBeenCalled()
})

test.each([
  ['throws', () => fault()],
  ['rejects with', async () => fault()],
])('what onRetry %s is shown, and breaks nothing', async (_, onRetry) => {
  const shown = vi.spyOn(console, 'error').mockReturnValue()
  const { store, requests } = await startScriptedStore([refuse(503), resetAfter, emptyPage], {
    onRetry,
  })
  expect([...(await store.listPets())]).toEqual([])
  expect(requests).toHaveLength(3)
  expect(shown.mock.calls.map(([, thrown]) => String(thrown))).toEqual(
    Array(2).fill('Error: Tired.'),
  )
})

function fault(): never {
  throw new Error('Tired.')
}
