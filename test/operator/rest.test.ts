import { Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createRest, longestRest, mostPerSecond } from '../../server/ops/overload/rest.ts'

/** Sockets that are refused at the same time, and how many of them rest. */
function refuse(count: number) {
  vi.useFakeTimers()
  const sockets = Array.from({ length: count }, () => new Socket())
  onTestFinished(() => {
    vi.useRealTimers()
    for (const socket of sockets) socket.destroy()
  })
  const rest = createRest()
  for (const socket of sockets) rest.begin(socket)
  return {
    rest,
    sockets,
    // When the answers are out.
    pass: (milliseconds: number) => vi.advanceTimersByTime(milliseconds),
    resting: () => sockets.filter((socket) => socket.isPaused()).length,
  }
}

test('those that are refused more often than so many times a second are not read for a while, in turn', () => {
  const { pass, resting } = refuse(mostPerSecond / 2)
  expect(resting()).toBe(0)
  pass(0)
  // What comes within fifty milliseconds is answered without delay.
  expect(resting()).toBeGreaterThan(mostPerSecond / 2 - 102)
  expect(resting()).toBeLessThan(mostPerSecond / 2 - 98)
  pass(250)
  expect(resting()).toBeGreaterThan(mostPerSecond / 4 - 120)
  expect(resting()).toBeLessThan(mostPerSecond / 4)
  pass(250)
  expect(resting()).toBe(0)
})

test('nobody rests for longer than that, however many are refused', () => {
  const { pass, resting } = refuse(mostPerSecond * 3)
  pass(longestRest - 10)
  expect(resting()).toBeGreaterThan(mostPerSecond / 2)
  pass(20)
  expect(resting()).toBe(0)
})

test('when the service is about to stop everybody is read again, and stays so', () => {
  const { rest, sockets, pass, resting } = refuse(1_000)
  pass(0)
  expect(resting()).toBeGreaterThan(0)
  rest.end()
  expect(resting()).toBe(0)
  for (const socket of sockets) rest.begin(socket)
  pass(0)
  expect(resting()).toBe(0)
})

test('whoever has left does not rest', () => {
  const { sockets, pass, resting } = refuse(1_000)
  for (const socket of sockets) socket.destroy()
  pass(0)
  expect(resting()).toBe(0)
})
