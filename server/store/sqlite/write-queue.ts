import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { StoreUnavailable } from '../errors.ts'
import { isBusy, toStoreError } from './errors.ts'

/** Milliseconds that writers wait for another process to release the database. */
const lockTimeout = 2_000
/** Milliseconds that `ping` waits for a write. */
const pingTimeout = 250
const mostPerCommit = 256

interface Write {
  /** Runs its statements; returns a function that resolves its promise. */
  readonly run: () => () => void
  readonly reject: (error: unknown) => void
}

/**
 * Queues writes so that they share commits: all that wait when a transaction begins are in it. A
 * commit costs a disk sync; many writes in one cost no more. A write that throws is undone alone.
 */
export class WriteQueue {
  readonly #connection: DatabaseSync
  readonly #assertInPlace: () => void
  readonly #writes: Write[] = []
  #isRunning = false
  /** Why the last write did not get to the disk. */
  #failure: StoreUnavailable | undefined

  /** `assertInPlace` throws if the file of the database is not the one that was opened. */
  constructor(connection: DatabaseSync, assertInPlace: () => void) {
    this.#connection = connection
    this.#assertInPlace = assertInPlace
  }

  /** Runs work in a transaction; resolves once the commit is on the disk. */
  write<Result>(work: () => Result): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const run = () => {
      const result = work()
      return () => resolve(result)
    }
    this.#writes.push({ run, reject })
    if (!this.#isRunning) void this.#runAll()
    return promise
  }

  /**
   * Rejects with a `StoreUnavailable` if the file cannot be read, or not be written to. It writes
   * nothing while writes succeed; after a failed one, it tries a write that changes nothing.
   */
  async ping(): Promise<void> {
    try {
      this.#assertInPlace()
      this.#connection.exec('SELECT 1 FROM animals LIMIT 1')
    } catch (error) {
      throw toStoreError(error)
    }
    if (this.#failure === undefined) return
    const trial = this.write(() => this.#connection.exec('PRAGMA user_version = 0'))
    await Promise.race([trial.catch(() => undefined), wait(pingTimeout)])
    if (this.#failure !== undefined) throw this.#failure
  }

  async #runAll(): Promise<void> {
    const connection = this.#connection
    this.#isRunning = true
    while (this.#writes.length > 0) {
      // Requests of the same iteration of the event loop join the same commit.
      await new Promise(setImmediate)
      // Until the transaction has begun, an error rejects all that wait.
      let batch = this.#writes
      try {
        this.#assertInPlace()
        await this.#begin()
        batch = this.#writes.splice(0, mostPerCommit)
        this.#failure = undefined
        const settles = batch.map((write) => this.#run(write))
        connection.exec('COMMIT')
        for (const settle of settles) settle()
      } catch (error) {
        if (connection.isOpen && connection.isTransaction) connection.exec('ROLLBACK')
        const reason = this.#noteFailure(error)
        for (const { reject } of batch.splice(0)) reject(reason)
      }
    }
    this.#isRunning = false
  }

  async #begin(): Promise<void> {
    for (const deadline = performance.now() + lockTimeout; ; await wait(10)) {
      try {
        return this.#connection.exec('BEGIN IMMEDIATE')
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error
      }
    }
  }

  /** Runs a write in the transaction; returns a function that settles its promise after the commit. */
  #run({ run, reject }: Write): () => void {
    const connection = this.#connection
    connection.exec('SAVEPOINT write')
    try {
      const settle = run()
      connection.exec('RELEASE write')
      return settle
    } catch (error) {
      // A full disk ends the whole transaction: there is no savepoint to return to.
      if (!connection.isTransaction) throw error
      connection.exec('ROLLBACK TO write; RELEASE write')
      const reason = this.#noteFailure(error)
      return () => reject(reason)
    }
  }

  #noteFailure(error: unknown): unknown {
    const reason = toStoreError(error)
    if (reason instanceof StoreUnavailable) this.#failure = reason
    return reason
  }
}
