import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds that a piece of work waits for the one before it under the same name. */
const patience = 250

/** Lets work under one name happen one at a time. */
export interface Turns<Result> {
  /** Does the work after that under the same name; gives up, with a result that says so, in time. */
  readonly take: (name: string, work: () => Promise<Result>) => Promise<Result>
}

/** Makes turns for results of one kind; `tooLate` stands in for work that was given up. */
export function createTurns<Result>(tooLate: Result): Turns<Result> {
  const running = new Map<string, Promise<unknown>>()
  return {
    async take(name, work) {
      const earlier = running.get(name)
      if (earlier !== undefined) {
        const giveUp = new AbortController()
        const isOver = earlier.then(() => true)
        const isLate = wait(patience, false, { signal: giveUp.signal }).catch(() => false)
        const isMyTurn = await Promise.race([isOver, isLate])
        giveUp.abort()
        if (!isMyTurn) return tooLate
      }
      const result = work()
      const over = result.catch(() => undefined)
      running.set(name, over)
      void over.then(() => running.get(name) === over && running.delete(name))
      return result
    },
  }
}
