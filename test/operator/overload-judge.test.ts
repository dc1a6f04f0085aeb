import { expect, test } from 'vitest'
import { createOverload, mostWaiting } from '../../server/ops/overload/overload.ts'

/** A judge of waits of at most 20 ms, on a clock that stands still. */
function judge() {
  const clock = { time: 0 }
  const overload = createOverload(20, () => clock.time)

  /** Lets requests wait so long behind so many others, one every hundred milliseconds. */
  function keepWaiting(milliseconds: number, { waited, ahead }: { waited: number; ahead: number }) {
    for (const end = clock.time + milliseconds; clock.time < end; clock.time += 100) {
      overload.note(waited, ahead)
    }
  }
  return { clock, overload, keepWaiting }
}

const late = { waited: 40, ahead: 100 }
const inTime = { waited: 1, ahead: 1 }

test('nobody is refused before every request of a whole second has waited too long', () => {
  const { overload, keepWaiting } = judge()
  keepWaiting(1_000, late)
  expect([overload.isOn(), overload.isTooMuch(1_000)]).toEqual([false, false])
  overload.note(inTime.waited, inTime.ahead)
  keepWaiting(1_000, late)
  expect([overload.isOn(), overload.isTooMuch(1_000)]).toEqual([false, false])
  keepWaiting(200, late)
  expect([overload.isOn(), overload.isTooMuch(1_000)]).toEqual([true, true])
})

test('those are refused that would wait as long by the pace of the others', () => {
  const { overload, keepWaiting } = judge()
  keepWaiting(1_200, late)
  expect([49, 50, 51].map(overload.isTooMuch)).toEqual([false, true, true])
})

test('short waits end no overload while somebody had to be refused within the last second', () => {
  const { clock, overload, keepWaiting } = judge()
  keepWaiting(1_200, late)
  for (let count = 0; count < 30; count++) {
    overload.note(inTime.waited, 50)
    clock.time += 100
    expect([overload.isOn(), overload.isTooMuch(mostWaiting - 1)]).toEqual([true, true])
  }
  clock.time += 999
  expect(overload.isOn()).toBe(true)
  clock.time += 1
  expect([overload.isOn(), overload.isTooMuch(mostWaiting - 1)]).toEqual([false, false])
})

test('pauses of the process are no overload', () => {
  const { clock, overload } = judge()
  for (let count = 0; count < 4; count++) {
    overload.note(late.waited, late.ahead)
    clock.time += 60_000
  }
  expect(overload.isOn()).toBe(false)
})

test('no more wait than there is memory for, overload or not', () => {
  const { overload } = judge()
  expect([mostWaiting - 1, mostWaiting].map(overload.isTooMuch)).toEqual([false, true])
  expect(overload.isOn()).toBe(false)
})
