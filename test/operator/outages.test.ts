import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createOutages } from '../../server/ops/outages.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'], now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

/** What tells of outages, and the lines that it has written. */
function watch() {
  const lines: string[] = []
  const write = (line: string): void => {
    const { level, msg, requests, seconds } = JSON.parse(line)
    lines.push([level, String(msg).split('.')[0], requests, seconds].join(' ').trimEnd())
  }
  return { lines, ...createOutages(pino({ base: null }, { write })) }
}

const full = new Error('The disk is full.')
const locked = new Error('The lock is held.')

test('a thousand refusals are one line, and another when what failed is done again', () => {
  const { lines, failed, succeeded } = watch()
  for (let request = 0; request < 1_000; request++) failed('createPet', full)
  vi.advanceTimersByTime(12_000)
  // Reads never failed, so they tell nothing.
  succeeded('listPets')
  expect(lines).toEqual(['50 The disk is full 1'])
  succeeded('createPet')
  succeeded('createPet')
  expect(lines.slice(1)).toEqual(['30 The store can be used again 999 12'])
})

test('an outage that goes on is told every minute, with what it has refused', () => {
  const { lines, failed } = watch()
  for (let second = 0; second < 150; second++) {
    failed('createPet', full)
    vi.advanceTimersByTime(1_000)
  }
  expect(lines).toEqual([
    '50 The disk is full 1',
    '50 The disk is full 60',
    '50 The disk is full 60',
  ])
})

test('one that comes and goes is told no more often', () => {
  const { lines, failed, succeeded } = watch()
  for (let second = 0; second < 61; second++) {
    failed('createPet', locked)
    succeeded('createPet')
    vi.advanceTimersByTime(1_000)
  }
  expect(lines).toEqual([
    '50 The lock is held 1',
    '30 The store can be used again 0 0',
    '50 The lock is held 60',
    '30 The store can be used again 0 0',
  ])
})

test('another reason is told, but reasons that take turns are not a flood', () => {
  const { lines, failed } = watch()
  for (let turn = 0; turn < 40; turn++) {
    failed('createPet', turn % 2 === 0 ? full : locked)
    vi.advanceTimersByTime(100)
  }
  expect(lines.length).toBeGreaterThan(1)
  expect(lines.length).toBeLessThan(5)
})

test('what an outage has told of, the next one does not tell again', () => {
  const { lines, failed, succeeded } = watch()
  for (let request = 0; request < 3; request++) failed('createPet', full)
  succeeded('createPet')
  vi.advanceTimersByTime(60_000)
  failed('createPet', full)
  expect(lines).toEqual([
    '50 The disk is full 1',
    '30 The store can be used again 2 0',
    '50 The disk is full 1',
  ])
})

test('the line has what went wrong beneath, where that is known', () => {
  const logged: unknown[] = []
  const log = pino({ base: null }, { write: (line) => logged.push(JSON.parse(line)) })
  const cause = new Error('ENOSPC')
  createOutages(log).failed('createPet', new Error('The disk is full.', { cause }))
  createOutages(log).failed('createPet', full)
  expect(logged).toMatchObject([
    { err: { message: 'ENOSPC' } },
    { err: { message: 'The disk is full.' } },
  ])
})
