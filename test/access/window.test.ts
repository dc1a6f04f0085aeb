import { afterEach, expect, test, vi } from 'vitest'
import { bindingWindow, secondsUntil } from '../../server/access/window.ts'

afterEach(() => {
  vi.useRealTimers()
})

const windowOf = (remaining: number, limit: number) => ({ limit, remaining, resetAt: 0 })

test('the window binds that has the least left of what it allows', () => {
  const [minute, day] = [windowOf(9, 10), windowOf(500, 1_000)]
  expect(bindingWindow(minute, day)).toBe(day)
  expect(bindingWindow(day, minute)).toBe(day)
})

test('of two with the same share the first binds', () => {
  const [minute, day] = [windowOf(5, 10), windowOf(500, 1_000)]
  expect(bindingWindow(minute, day)).toBe(minute)
  expect(bindingWindow(day, minute)).toBe(day)
})

test('a window that allows nothing binds', () => {
  const [minute, day] = [windowOf(1, 10), windowOf(0, 0)]
  expect(bindingWindow(minute, day)).toBe(day)
  expect(bindingWindow(day, minute)).toBe(day)
})

test('seconds are whole, rounded up, and never less than one', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
  const seconds = [-5_000, 0, 1, 1_000, 1_001, 60_000].map((ms) => secondsUntil(1_000_000 + ms))
  expect(seconds).toEqual([1, 1, 1, 1, 2, 60])
})
