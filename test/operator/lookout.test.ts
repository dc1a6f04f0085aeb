import { expect, onTestFinished, test, vi } from 'vitest'
import { createLookout } from '../../server/ops/overload/lookout.ts'

/** A lookout whose timers come late by so many milliseconds each, and how often it has looked. */
function lookOut(late: number, goesOn = () => true) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let looks = 0
  let passed = 0
  const look = () => {
    looks++
    return goesOn()
  }
  const { begin } = createLookout(look, () => Date.now() + passed * late)
  begin()
  return {
    looks: () => looks,
    begin,
    pass(times: number) {
      for (let count = 0; count < times; count++) {
        passed++
        vi.advanceTimersByTime(100)
      }
    },
  }
}

test('it looks every so often, for as long as there is something to see', () => {
  let left = 3
  const { looks, begin, pass } = lookOut(0, () => --left > 0)
  pass(10)
  expect(looks()).toBe(3)
  begin()
  begin()
  pass(1)
  expect(looks()).toBe(4)
})

test('after a pause one look is left out, and never two in a row', () => {
  const { looks, pass } = lookOut(150)
  pass(1)
  expect(looks()).toBe(0)
  pass(1)
  expect(looks()).toBe(1)
  pass(8)
  expect(looks()).toBe(5)
})

test('a look that is a little late is none that is left out', () => {
  const { looks, pass } = lookOut(149)
  pass(4)
  expect(looks()).toBe(4)
})
