import { setTimeout as wait } from 'node:timers/promises'
import { ConnectionLost, isUndone, toStoreError } from './faults.ts'
import { inTime, lockPatience, requestPatience, statementPatienceOf } from './patience.ts'
import type { ConnectionPool, Work } from './pool.ts'

/** Does work in the database; rejects with a `StoreUnavailable` when that is away. */
export type Run = <Result>(work: Work<Result>) => Promise<Result>

/** The two ways in which work is done. In both, what the server has undone is sent again. */
export interface Runs {
  /** For work that changes nothing: done once more where its connection is lost on the way. */
  readonly read: Run
  /** For work that changes something: where the connection is lost, it may have been done. */
  readonly write: Run
}

/** Most milliseconds before what the server has undone is sent again. */
const longestPause = 20

/** Makes the ways in which work is done on the connections of a pool, in so many milliseconds. */
export function createRuns({ use }: ConnectionPool, patience = requestPatience): Runs {
  function runSurviving(losses: number): Run {
    return (work) =>
      inTime(patience, async (tooLate) => {
        // What is sent late would be done after its caller was told that it was not.
        const lastStart = performance.now() + statementPatienceOf(patience) - lockPatience
        for (let lost = 0; ; ) {
          try {
            return await use(work, tooLate)
          } catch (error) {
            if (error instanceof ConnectionLost && lost < losses) lost++
            else if (!isUndone(error) || performance.now() > lastStart) throw toStoreError(error)
          }
          // At random, so that those who were in each other's way are not again.
          await wait(Math.random() * longestPause)
        }
      })
  }

  return { read: runSurviving(1), write: runSurviving(0) }
}
