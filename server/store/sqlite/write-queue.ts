import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
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

/**
 * Makes a queue of writes that share commits: whoever waits when a transaction begins is in it.
 * A commit costs a disk sync, many writes in one cost no more. Work that throws is undone alone.
 */
export function createWriteQueue({ connection, assertInPlace }: Database): WriteQueue {
  const waiting: Job[] = []
  let isRunning = false

  async function drain(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      // Requests that arrived in the same turn of the event loop join the same commit.
      await new Promise(setImmediate)
      const jobs = waiting.splice(0, mostPerCommit)
      try {
        assertInPlace()
        await begin(connection)
        for (const settle of commit(connection, jobs)) settle()
      } catch (error) {
        if (connection.isOpen && connection.isTransaction) connection.exec('ROLLBACK')
        for (const job of jobs) job.fail(toStoreError(error))
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

function commit(connection: DatabaseSync, jobs: readonly Job[]): (() => void)[] {
  const outcomes = jobs.map((job) => {
    connection.exec('SAVEPOINT job')
    try {
      job.run()
      connection.exec('RELEASE job')
      return job.settle
    } catch (error) {
      // A full disk ends the whole transaction: there is nothing left to go back to.
      if (!connection.isTransaction) throw error
      connection.exec('ROLLBACK TO job; RELEASE job')
      return () => job.fail(toStoreError(error))
    }
  })
  connection.exec('COMMIT')
  return outcomes
}
