import { setTimeout as wait } from 'node:timers/promises'
import { ConnectionLost, isUndone, toStoreError } from './faults.ts'
import { inTime, lockPatience, statementPatience, type TooLate } from './patience.ts'
import type { ConnectionPool, Work } from './pool.ts'

/** Does work in the database; rejects with a `StoreUnavailable` when that is away. */
export type Run = <Result>(work: Work<Result>) => Promise<Result>

/** The two ways in which work is done. */
export interface Runs {
  /** For work that changes nothing: done once more where its connection is lost on the way. */
  readonly read: Run
  /** For one statement that changes something: sent again only where the server has undone it. */
  readonly write: Run
}

/** Most milliseconds before what the server has undone is sent again. */
const longestPause = 20

/** Makes the ways in which work is done on the connections of a pool. */
export function createRuns({ use }: ConnectionPool): Runs {
  async function read<Result>(work: Work<Result>, tooLate: TooLate): Promise<Result> {
    try {
      return await use(work, tooLate)
    } catch (error) {
      if (error instanceof ConnectionLost) return use(work, tooLate)
      throw error
    }
  }

  async function write<Result>(work: Work<Result>, tooLate: TooLate): Promise<Result> {
    // What is sent late would be done after its caller was told that it was not.
    const lastStart = performance.now() + statementPatience - lockPatience
    for (;;) {
      try {
        return await use(work, tooLate)
      } catch (error) {
        if (!isUndone(error) || performance.now() > lastStart) throw error
      }
      // At random, so that those who were in each other's way are not again.
      await wait(Math.random() * longestPause)
    }
  }

  return {
    read: (work) => inTime((tooLate) => read(work, tooLate)).catch(rethrow),
    write: (work) => inTime((tooLate) => write(work, tooLate)).catch(rethrow),
  }
}

function rethrow(error: unknown): never {
  throw toStoreError(error)
}
