import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createAllowance } from '../../client/allowance.ts'

const start = Date.UTC(2026, 10, 21, 12)
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'], now: start })
})
afterEach(() => vi.useRealTimers())

function answer({ limit = 60, remaining = 10, seconds = 60, status = 200 } = {}): Response {
  const headers = {
    Date: new Date().toUTCString(),
    'X-RateLimit-Limit': `${limit}`,
    'X-RateLimit-Remaining': `${remaining}`,
    'X-RateLimit-Reset': `${(start + seconds * 1_000) / 1_000}`,
  }
  return new Response(null, { status, headers })
}

test('a service without limits holds nobody back, and a lost answer shows none', () => {
  const { note, room } = createAllowance()
  expect(room()).toBe(1)
  note(undefined, 1, 1)
  expect(room()).toBe(1)
  note(new Response(), 2, 2)
  expect(room()).toBe(Number.POSITIVE_INFINITY)
})

test('an answer without limits lifts none that is known', () => {
  const { note, room } = createAllowance()
  note(answer(), 1, 1)
  note(new Response(null, { status: 502 }), 2, 2)
  expect(room()).toBe(9)
})

test('what was lost counts until an answer to a later request is here', () => {
  const { note, room } = createAllowance()
  note(answer(), 1, 1)
  note(undefined, 2, 5)
  expect(room()).toBe(9)
  note(answer(), 5, 5)
  expect(room()).toBe(9)
  note(answer(), 6, 6)
  expect(room()).toBe(10)
})

test('more may go when every window that is full has been reset', () => {
  const { note, moreAt } = createAllowance()
  note(answer({ limit: 1_000, remaining: 0, seconds: 3_600 }), 1, 1)
  note(answer({ remaining: 0 }), 2, 2)
  expect(moreAt(0) - performance.now()).toBe(3_600_000)
})

test('after a refusal one goes at a time, and only slowly more', () => {
  const { note, room } = createAllowance()
  note(answer({ remaining: 0, seconds: 1, status: 429 }), 1, 1)
  vi.advanceTimersByTime(2_000)
  for (let number = 2; number <= 60; number++) note(answer({ remaining: 59 }), number, number)
  expect(room()).toBe(1)
  for (let number = 61; number <= 120; number++) note(answer({ remaining: 59 }), number, number)
  expect(room()).toBe(2)
})
