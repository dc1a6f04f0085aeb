import { expect, test } from 'vitest'
import { createOverload, mostWaiting } from '../../server/ops/overload/overload.ts'

/** A judge of waits of at most 20 ms, on a clock that stands still. */
function judge() {
  const clock = { time: 0 }
  const overload = createOverload(20, () => clock.time)

  /** Lets a request have its turn every so often for a while, each after having waited so long. */
  function turns(milliseconds: number, every: number, waited: number): void {
    for (const end = clock.time + milliseconds; clock.time < end; clock.time += every) {
      overload.note(waited)
    }
  }
  overload.emptied()
  return { clock, overload, turns }
}

/** A judge that knows of an overload in which a turn takes a millisecond. */
function judgeOverload() {
  const judged = judge()
  judged.overload.filled()
  judged.turns(1_200, 1, 40)
  return judged
}

test('nobody is refused before every request of a whole second has waited too long', () => {
  const { overload, turns } = judge()
  overload.filled()
  turns(1_000, 100, 40)
  expect([overload.isOn(), overload.isTooMuch(1_000)]).toEqual([false, false])
  overload.note(1)
  turns(1_000, 100, 40)
  expect([overload.isOn(), overload.isTooMuch(1_000)]).toEqual([false, false])
  overload.passed()
  turns(1_000, 100, 40)
  expect(overload.isOn()).toBe(false)
  turns(200, 100, 40)
  expect([overload.isOn(), overload.isTooMuch(1_000)]).toEqual([true, true])
})

test('those who have no turn yet count as well', () => {
  const { clock, overload } = judge()
  overload.filled()
  for (let waited = 100; waited <= 1_100; waited += 100) {
    clock.time += 100
    expect(overload.isOn()).toBe(false)
    overload.see(waited)
  }
  expect(overload.isOn()).toBe(true)
})

test('those are refused that would wait as long by the pace of the others', () => {
  const { overload } = judgeOverload()
  expect([0, 1, 19, 20, 21].map(overload.isTooMuch)).toEqual([false, false, false, true, true])
})

test('the pace is that of those who wait: what comes to an empty line tells nothing of it', () => {
  const { clock, overload, turns } = judgeOverload()
  for (let count = 0; count < 2_000; count++) {
    overload.emptied()
    overload.filled()
    clock.time += 5
    overload.note(5)
  }
  overload.emptied()
  overload.filled()
  turns(1_200, 1, 40)
  expect([19, 20].map(overload.isTooMuch)).toEqual([false, true])
})

test('nobody is let in behind others while none of them has a turn', () => {
  const { clock, overload } = judgeOverload()
  clock.time += 248
  expect([0, 1].map(overload.isTooMuch)).toEqual([false, false])
  clock.time += 1
  expect([0, 1].map(overload.isTooMuch)).toEqual([false, true])
})

test('short waits end no overload', () => {
  const { overload, turns } = judgeOverload()
  turns(10_000, 1, 10)
  expect([overload.isOn(), overload.isTooMuch(1_000)]).toEqual([true, true])
})

test('it is over when nobody waited for a tenth of a second, refusals or not', () => {
  const { clock, overload, turns } = judgeOverload()
  for (let second = 0; second < 5; second++) {
    overload.emptied()
    clock.time += 99
    overload.filled()
    turns(901, 1, 10)
    expect(overload.isTooMuch(1_000)).toBe(true)
  }
  overload.emptied()
  clock.time += 101
  overload.filled()
  turns(899, 1, 10)
  expect([overload.isOn(), overload.isTooMuch(mostWaiting - 1)]).toEqual([false, false])
})

test('that nobody waits just now is no proof', () => {
  const { clock, overload, turns } = judgeOverload()
  turns(1_000, 1, 10)
  overload.emptied()
  clock.time += 99
  expect(overload.isOn()).toBe(true)
})

test('how it was before an overload tells nothing of its end', () => {
  const { clock, overload, turns } = judge()
  clock.time += 60_000
  overload.filled()
  turns(1_200, 1, 40)
  expect(overload.isOn()).toBe(true)
})

test('it is over when nobody asks any more', () => {
  const { clock, overload } = judgeOverload()
  overload.emptied()
  clock.time += 99
  expect(overload.isOn()).toBe(true)
  clock.time += 60_000
  expect(overload.isOn()).toBe(false)
})

test('pauses of the process are no overload', () => {
  const { clock, overload } = judge()
  overload.filled()
  for (let count = 0; count < 4; count++) {
    overload.note(40)
    clock.time += 60_000
  }
  expect(overload.isOn()).toBe(false)
})

test('where more wait than there is memory for, there is overload at once', () => {
  const { overload } = judge()
  overload.filled()
  expect([mostWaiting - 1, mostWaiting].map(overload.isTooMuch)).toEqual([false, true])
  expect(overload.isOn()).toBe(true)
})
