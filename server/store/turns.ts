import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds that a piece of work waits for those before it under the same name. */
const patience = 250

/** Lets work under one name happen one at a time. */
export interface Turns<Result> {
  /** Does the work after those under the same name; gives up, with a result that says so, in time. */
  readonly take: (name: string, work: () => Promise<Result>) => Promise<Result>
}

/** Makes turns for results of one kind; `tooLate` stands in for work that was given up. */
export function createTurns<Result>(tooLate: Result): Turns<Result> {
  const running = new Map<string, Promise<unknown>>()
  return {
    async take(name, work) {
      const giveUp = new AbortController()
      let late: Promise<boolean> | undefined
      try {
        // All who wait wake at the same moment; those after the first find it running, and wait on.
        for (let earlier = running.get(name); earlier !== undefined; earlier = running.get(name)) {
          late ??= wait(patience, false, { signal: giveUp.signal }).catch(() => false)
          const isOver = earlier.then(() => true)
          if (!(await Promise.race([isOver, late]))) return tooLate
        }
      } finally {
        giveUp.abort()
      }
      const result = work()
      const over = result.catch(() => undefined)
      running.set(name, over)
      void over.then(() => running.get(name) === over && running.delete(name))
      return result
    },
  }
}
