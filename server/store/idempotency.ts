import { setTimeout as wait } from 'node:timers/promises'
import type { Addition, Once } from './pet-store.ts'

/** Milliseconds that a repeated addition waits for the first one with its key. */
const timeout = 250

/** Returns a function that keeps an addition waiting while this process works on one with the same key. */
export function createOnceQueue() {
  const running = new Map<string, Promise<unknown>>()
  return async ({ callerId, key }: Once, add: () => Promise<Addition>): Promise<Addition> => {
    const name = `${callerId} ${key}`
    const first = running.get(name)
    if (first !== undefined) {
      const isDone = first.then(() => true)
      const isInTime = await Promise.race([isDone, wait(timeout, false, { ref: false })])
      if (!isInTime) return { kind: 'in-progress' }
    }
    // Those that waited go on together: the database adds the pet once in any case.
    const addition = add()
    const done = addition.catch(() => undefined)
    running.set(name, done)
    void done.then(() => running.get(name) === done && running.delete(name))
    return addition
  }
}
