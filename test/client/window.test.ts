import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { learn, roomIn, type Window } from '../../client/window.ts'

const start = Date.UTC(2026, 10, 21, 12)
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'], now: start })
})
afterEach(() => vi.useRealTimers())

/** A window that is open for a minute, seen just now, unless it is said otherwise. */
function windowOf(facts: Partial<Window> = {}): Window {
  const now = performance.now()
  const usual = { limit: 60, left: 10, reset: new Date(start + 60_000), seenBy: 1 }
  return { ...usual, resetAt: now + 60_000, seenAt: now, ...facts }
}

/** What a client knows, and what tells it of answers. */
function learner() {
  const windows = new Map<number, Window>()
  function told(
    number: number,
    { limit = 60, remaining = 10, seconds = 60, status = 200, headers = {} } = {},
  ): void {
    const reset = new Date(start + seconds * 1_000)
    const date = new Date(Date.now()).toUTCString()
    const response = new Response(null, { status, headers: { date, ...headers } })
    learn(windows, { limit, remaining, reset }, response, number)
  }
  return { told, of: (limit = 60) => windows.get(limit), windows }
}

test('nothing known lets one request find out', () => {
  expect(roomIn([], 0)).toBe(1)
})

test('what may have been counted is not there any more, but nobody waits for long because of that', () => {
  const now = performance.now()
  expect(roomIn([windowOf()], 3)).toBe(7)
  expect(roomIn([windowOf({ resetAt: now + 120_000 })], 20)).toBe(0)
  expect(roomIn([windowOf({ resetAt: now + 120_001 })], 20)).toBe(1)
  expect(roomIn([windowOf({ resetAt: now + 120_001, left: 0 })], 20)).toBe(0)
})

test('of a window that is over, the one that was shown since has the least share left', () => {
  vi.advanceTimersByTime(10_000)
  const now = performance.now()
  const over = windowOf({ resetAt: now - 1_000, seenAt: now - 2_000 })
  const day = { limit: 1_000, left: 500, resetAt: now + 3_600_000 }
  expect(roomIn([over, windowOf({ ...day, seenAt: now })], 0)).toBe(30)
  expect(roomIn([over, windowOf({ ...day, left: 1, seenAt: now })], 0)).toBe(1)
  expect(roomIn([over, windowOf({ ...day, seenAt: now - 1_000 })], 0)).toBe(1)
  expect(roomIn([over, windowOf({ ...day, seenAt: now - 1_500 })], 0)).toBe(1)
  expect(roomIn([over, windowOf({ ...day, seenAt: now, resetAt: now })], 0)).toBe(1)
  expect(roomIn([over], 0)).toBe(1)
})

test('the least that any answer says is left holds, whichever comes last', () => {
  const { told, of } = learner()
  told(1, { remaining: 9 })
  told(3, { remaining: 7 })
  told(2, { remaining: 8 })
  expect(of()).toMatchObject({ left: 7, seenBy: 3 })
})

test.for([
  ['rounded up', 61, 12, 9],
  ['rounded down', 59, 7, 7],
  ['of the next window', 62, 50, 50],
  ['of a window before', 58, 7, 9],
] as const)('an answer with an end %s says what is left', ([, seconds, remaining, left]) => {
  const { told, of } = learner()
  told(1, { remaining: 9 })
  told(2, { remaining, seconds })
  expect(of()?.left).toBe(left)
})

test('an answer at the end of a window begins the next', () => {
  const { told, of } = learner()
  told(1, { remaining: 3, seconds: 2 })
  vi.advanceTimersByTime(2_000)
  told(2, { remaining: 59, seconds: 3 })
  expect(of()?.left).toBe(59)
})

test('a request counts in every window whose answers do not know of it', () => {
  const { told, of } = learner()
  told(5, { limit: 1_000, remaining: 100, seconds: 3_600 })
  told(3, { limit: 1_000, remaining: 101, seconds: 3_600 })
  told(4)
  told(5)
  expect(of(1_000)?.left).toBe(100)
  told(6)
  expect(of(1_000)?.left).toBe(99)
  expect(of()?.left).toBe(10)
})

test('a late answer of a window that is over takes nothing from the one that is open', () => {
  const { told, of } = learner()
  told(1, { remaining: 9 })
  told(2, { remaining: 3, seconds: 30 })
  expect(of()?.left).toBe(9)
})

test('a refusal leaves nothing until it says so, and counts nowhere else', () => {
  const { told, of } = learner()
  told(1, { limit: 1_000, remaining: 100, seconds: 3_600 })
  const refusal = { status: 429, headers: { 'retry-after': '90' } }
  told(2, refusal)
  expect(of()).toMatchObject({ left: 0, resetAt: performance.now() + 90_000 })
  expect(of(1_000)?.left).toBe(100)
})
