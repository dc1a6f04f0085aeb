import { setTimeout as wait } from 'node:timers/promises'
import type { StoreUnavailable } from '../store-unavailable.ts'
import type { Database } from './database.ts'
import { toStoreError } from './faults.ts'
import { createWriteQueue, type WriteQueue } from './write-queue.ts'

/** Milliseconds that whoever asks waits for the write that tells whether writes work again. */
const patience = 250

/** The writes of a store, and whether it can do all that is asked of it. */
export interface WatchedWrites {
  readonly write: WriteQueue
  /** Rejects with a `StoreUnavailable` when the file cannot be read, or not be written to. */
  readonly ping: () => Promise<void>
}

/**
 * Watches how writes go. Nothing is written as long as they go well; after one that failed, who
 * asks whether the store is ready has one tried that changes nothing.
 */
export function watchWrites(database: Database): WatchedWrites {
  const { connection, assertInPlace } = database
  let fault: StoreUnavailable | undefined
  let trial: Promise<unknown> | undefined
  const write = createWriteQueue(database, (now) => {
    fault = now
  })

  function tryToWrite(): Promise<unknown> {
    // It is written although it is 0 already.
    trial ??= write(() => connection.exec('PRAGMA user_version = 0'))
      .catch(() => undefined)
      .finally(() => {
        trial = undefined
      })
    return trial
  }

  return {
    write,
    async ping() {
      try {
        assertInPlace()
        connection.exec('SELECT 1 FROM animals LIMIT 1')
      } catch (error) {
        throw toStoreError(error)
      }
      if (fault === undefined) return
      await Promise.race([tryToWrite(), wait(patience)])
      if (fault !== undefined) throw fault
    },
  }
}
