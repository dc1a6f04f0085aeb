import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { StoreUnavailable } from '../store-unavailable.ts'
import type { Database } from './database.ts'
import { isBusy, toStoreError } from './faults.ts'

/** Milliseconds that writers wait for another process to release the database. */
export const patience = 2_000
const mostPerCommit = 256

interface Job {
  readonly run: () => void
  readonly settle: () => void
  readonly fail: (error: unknown) => void
}

/** Runs a piece of work in a transaction; resolves once the commit is on the disk. */
export type WriteQueue = <Result>(work: () => Result) => Promise<Result>

/** Told after each commit how it went: what kept it from the disk, or nothing. */
export type OnCommit = (fault: StoreUnavailable | undefined) => void

/**
 * Makes a queue of writes that share commits: whoever waits when a transaction begins is in it.
 * A commit costs a disk sync, many writes in one cost no more. Work that throws is undone alone.
 */
export function createWriteQueue(
  { connection, assertInPlace }: Database,
  onCommit: OnCommit,
): WriteQueue {
  const waiting: Job[] = []
  let isRunning = false

  async function drain(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      // Requests that arrived in the same turn of the event loop join the same commit.
      await new Promise(setImmediate)
      // Who cannot have a commit now: everybody, until it is known that there will be one.
      let jobs = waiting
      try {
        assertInPlace()
        await begin(connection)
        jobs = waiting.splice(0, mostPerCommit)
        const { settles, fault } = commit(connection, jobs)
        onCommit(fault)
        for (const settle of settles) settle()
      } catch (error) {
        if (connection.isOpen && connection.isTransaction) connection.exec('ROLLBACK')
        const reason = toStoreError(error)
        if (reason instanceof StoreUnavailable) onCommit(reason)
        for (const job of jobs.splice(0)) job.fail(reason)
      }
    }
    isRunning = false
  }

  return function write<Result>(work: () => Result): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    let settle = (): void => undefined
    const run = (): void => {
      const result = work()
      settle = () => resolve(result)
    }
    waiting.push({ run, settle: () => settle(), fail: reject })
    if (!isRunning) void drain()
    return promise
  }
}

async function begin(connection: DatabaseSync): Promise<void> {
  for (const deadline = performance.now() + patience; ; await wait(10)) {
    try {
      connection.exec('BEGIN IMMEDIATE')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
    }
  }
}

interface Committed {
  readonly settles: readonly (() => void)[]
  /** What kept one of the jobs from the disk. */
  readonly fault: StoreUnavailable | undefined
}

function commit(connection: DatabaseSync, jobs: readonly Job[]): Committed {
  let fault: StoreUnavailable | undefined
  const settles = jobs.map((job) => {
    connection.exec('SAVEPOINT job')
    try {
      job.run()
      connection.exec('RELEASE job')
      return job.settle
    } catch (error) {
      // A full disk ends the whole transaction: there is nothing left to go back to.
      if (!connection.isTransaction) throw error
      connection.exec('ROLLBACK TO job; RELEASE job')
      const reason = toStoreError(error)
      if (reason instanceof StoreUnavailable) fault = reason
      return () => job.fail(reason)
    }
  })
  connection.exec('COMMIT')
  return { settles, fault }
}
