import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSparing, mostSpared } from '../../server/ops/overload/spared.ts'

test('in each turn of the event loop a few probes need not wait, and no more', async () => {
  const isSpared = createSparing(['/livez', '/readyz'])
  const ask = () => Array.from({ length: mostSpared + 5 }, () => isSpared('/readyz?from=here'))
  const first = [...Array(mostSpared).fill(true), ...Array(5).fill(false)]
  expect(ask()).toEqual(first)
  await nextTurn()
  expect(ask()).toEqual(first)
})

test('what is no probe is not counted as one', () => {
  const isSpared = createSparing(['/livez'])
  for (let count = 0; count < 100; count++) {
    expect(['/livezz', '/v1/pets', '/readyz', ''].map(isSpared)).toEqual(Array(4).fill(false))
  }
  expect(isSpared('/livez')).toBe(true)
})
