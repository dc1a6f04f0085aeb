import { vi } from 'vitest'
import type { Retry } from '../../../client/index.ts'
import type { Behaviour } from './scripted-server.ts'

let passed = Promise.resolve()

/** Does something about a request, and lets some time pass as soon as that is done. */
export function after(milliseconds: number, { act }: Behaviour): Behaviour {
  return {
    act(socket) {
      act(socket)
      void pass(milliseconds)
    },
  }
}

/** Lets time pass for the timers of our client, when what is under way has come to them. */
export function pass(milliseconds: number): Promise<void> {
  // One after the other: the clock cannot be moved while it is being moved.
  passed = passed.then(async () => {
    await new Promise(setImmediate)
    await vi.advanceTimersByTimeAsync(milliseconds)
  })
  return passed
}

/** Cuts a wait short: one that begins while the clock is being moved takes a millisecond more. */
export const skip = ({ delay }: Retry) => void pass(delay + 1)
