import { setImmediate as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns } from '../../server/store/turns.ts'

test('work under one name is done one at a time, in the order in which it came, also after a failure', async () => {
  const { take } = createTurns<string>('too late')
  const order: string[] = []
  const work = (name: string) => async () => {
    order.push(`${name} begins`)
    await pause()
    order.push(`${name} ends`)
    if (name === 'first') throw new Error('It failed.')
    return name
  }
  const names = ['first', 'second', 'third', 'fourth']
  const done = await Promise.allSettled(names.map((name) => take('key', work(name))))
  expect(done.map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ])
  expect(order).toEqual(names.flatMap((name) => [`${name} begins`, `${name} ends`]))
})
