import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { emptyPage, refuse } from './support/behaviours.ts'
import { failureOf } from './support/failure-of.ts'
import { skip } from './support/passing-time.ts'
import { startScriptedStore } from './support/scripted-store.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => vi.useRealTimers())

test('a wait that would leave a millisecond is not begun, as a timer may be early; one that leaves two is', async () => {
  const fault = refuse(503, { 'Retry-After': '40' })
  const { store, requests } = await startScriptedStore([fault, fault, emptyPage], { onRetry: skip })
  const call = (total: number) => store.listPets({}, { timeout: { total } })
  expect(await failureOf(call(40_001))).toMatchObject({ code: 'code_503', attempts: 1 })
  expect([...(await call(40_002))]).toEqual([])
  expect(requests).toHaveLength(3)
})
