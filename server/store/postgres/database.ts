import { setTimeout as wait } from 'node:timers/promises'
import { reasonOf } from '../../plain-error.ts'
import { OutcomeUnknown, StoreError } from '../errors.ts'
import type { Connections, StoreOptions } from '../store.ts'
import { ConnectionLost, isRolledBack, isUnprepared, poolerAdvice, toStoreError } from './errors.ts'
import { migrate } from './migrate.ts'
import { ConnectionPool, lockTimeout, requestTimeout, sslModeNote, toPoolOptions } from './pool.ts'
import type { Run } from './statement.ts'

/** Most milliseconds before a statement that was rolled back is sent again. */
const longestPause = 20

/** An open database. What the server has rolled back is sent again. */
export interface Database {
  /** Runs work that changes nothing: it is repeated once if its connection is lost. */
  readonly read: Run
  /** Runs work that changes something: if the connection is lost, it may have been done. */
  readonly write: Run
  /** Reads on a connection of its own, so that a busy pool does not look like a lost database. */
  readonly probe: Run
  /** Returns the state of the connections that requests share. */
  readonly connections: () => Connections
  readonly close: () => Promise<void>
}

/** Opens a database and applies pending migrations. */
export async function openDatabase(
  url: string,
  { timeout = requestTimeout, poolSize }: StoreOptions,
): Promise<Database> {
  const options = toPoolOptions(url, timeout, poolSize)
  try {
    await migrate(options)
  } catch (cause) {
    const advice = 'Check DATABASE_URL, and that the database runs and lets the service in.'
    const what = isUnprepared(cause) ? poolerAdvice : [advice, sslModeNote(url)].join(' ').trim()
    const message = `Cannot open PostgreSQL at ${locationOf(url)}: ${reasonOf(cause)}. ${what}`
    throw new StoreError(message, { cause })
  }
  const pool = new ConnectionPool(options)
  const probes = new ConnectionPool({ ...options, max: 1 })
  return {
    read: createRun(pool, timeout, 1),
    write: createRun(pool, timeout, 0),
    probe: createRun(probes, requestTimeout, 1),
    connections: () => pool.state(),
    close: async () => void (await Promise.all([pool.close(), probes.close()])),
  }
}

/** Returns where a database is, without the password. */
function locationOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = hostname || searchParams.get('host') || 'localhost'
  return `${host}${port && `:${port}`}, database ${decodeURIComponent(pathname.slice(1))}`
}

function createRun(pool: ConnectionPool, timeout: number, mostLosses: number): Run {
  return async (work) => {
    // A statement that is sent later would be executed after its caller was told that it was not.
    const lastStart = performance.now() + timeout - 2 * lockTimeout
    const { promise: expired, reject } = Promise.withResolvers<never>()
    expired.catch(() => undefined)
    const timer = setTimeout(() => {
      reject(new OutcomeUnknown(`PostgreSQL did not respond within ${timeout} ms.`))
    }, timeout)
    try {
      for (let losses = 0; ; ) {
        try {
          return await pool.use(work, expired)
        } catch (error) {
          if (error instanceof ConnectionLost && losses < mostLosses) losses++
          else if (!isRolledBack(error) || performance.now() > lastStart) throw toStoreError(error)
        }
        // At random, so that statements that blocked each other do not meet again.
        await wait(Math.random() * longestPause)
      }
    } finally {
      clearTimeout(timer)
    }
  }
}
