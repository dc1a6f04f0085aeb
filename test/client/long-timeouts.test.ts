import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { emptyPage } from './support/behaviours.ts'
import { failureOf } from './support/failure-of.ts'
import { startScriptedStore } from './support/scripted-store.ts'

afterEach(() => vi.useRealTimers())
afterEach(() => vi.restoreAllMocks())

test.each([2 ** 31, 2 ** 40, Number.MAX_VALUE, Number.POSITIVE_INFINITY])(
  'a time of %d ms, longer than a timer runs, does not end at once',
  async (time) => {
    const warn = vi.spyOn(process, 'emitWarning')
    const { store, requests } = await startScriptedStore(
      [{ act: (socket) => void sleep(50).then(() => emptyPage.act(socket)) }],
      { timeout: { attempt: time, total: time } },
    )
    expect([...(await store.listPets())]).toEqual([])
    expect(requests).toHaveLength(1)
    expect(warn).not.toHaveBeenCalled()
  },
)

test('it ends when no timer can run longer, not before', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const longest = 2 ** 31 - 1
  const [day, over] = [86_400_000, vi.fn()]
  const { promise, resolve } = Promise.withResolvers<void>()
  const { store } = await startScriptedStore([{ act: () => resolve() }], {
    timeout: { attempt: 60 * day, total: 100 * day },
    retry: false,
  })
  const call = failureOf(store.listPets()).finally(over)
  await promise
  await vi.advanceTimersByTimeAsync(longest - 1)
  expect(over).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(await call).toMatchObject({ code: 'timeout', attempts: 1 })
})
