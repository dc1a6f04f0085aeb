import { hash, randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type ClientBase, Pool, type PoolClient, type PoolConfig, types } from 'pg'
import { reasonOf } from '../../plain-error.ts'
import type { Connections, Query } from '../engine.ts'
import { OutcomeUnknown, StoreUnavailable } from '../errors.ts'
import { ConnectionLost, hasCode, lost, rolledBack, toStoreError } from './errors.ts'

/** Milliseconds after which a request gets 503 while the database does not respond. */
export const requestTimeout = 1_500

/** Milliseconds that a statement waits for a lock before it is sent again. */
const lockTimeout = 250

/** Most milliseconds before a statement that was rolled back is sent again. */
const longestPause = 20

// Without `uselibpqcompat` the driver takes these for verify-full, and prints a warning of nine lines.
const verifiedMode =
  /^(?!.*[?&]uselibpqcompat=true(?:&|$))(.*[?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/

/** Describes the `sslmode` of a URL if it means something else than to libpq. */
export function sslModeNote(url: string): string | undefined {
  const mode = verifiedMode.exec(url)?.[2]
  if (mode === undefined) return undefined
  return `sslmode=${mode} verifies the certificate and the host name here, as verify-full does; no-verify verifies neither.`
}

/** Returns the options of every connection to a database. */
export function toPoolOptions(url: string, timeout: number, poolSize?: number): PoolConfig {
  return {
    connectionString: url.replace(verifiedMode, '$1verify-full'),
    application_name: 'animal-store',
    connectionTimeoutMillis: requestTimeout,
    // The server ends a statement before its caller gives up.
    statement_timeout: timeout - lockTimeout,
    lock_timeout: lockTimeout,
    idle_in_transaction_session_timeout: timeout,
    keepAlive: true,
    idleTimeoutMillis: 60_000,
    // A process ends although the server does not close its side of a connection.
    allowExitOnIdle: true,
    // Connections spread again after a failover, or when backends are added.
    maxLifetimeSeconds: 1_800,
    types: { getTypeParser },
    ...(poolSize === undefined ? {} : { max: poolSize }),
  }
}

/** Options of connections for work that no request waits for. */
export const noTimeouts = {
  statement_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
} as const

// Our integers of eight bytes are within what a number can represent; the driver returns strings.
const getTypeParser: typeof types.getTypeParser = (id, format) =>
  id === types.builtins.INT8 ? Number : types.getTypeParser(id, format)

// Some poolers let connections share a backend: statements of two connections must differ in name.
const connectionNames = new WeakMap<ClientBase, string>()

/** Runs a statement, which the backend parses once for each connection. */
export async function query<Row>(client: ClientBase, [text, ...values]: Query): Promise<Row[]> {
  const connection = connectionNames.get(client) ?? randomBytes(6).toString('base64url')
  connectionNames.set(client, connection)
  const name = `${connection} ${hash('sha256', text, 'base64url')}`
  const { rows } = await client.query({ name, text, values })
  return rows
}

/** Runs work in a transaction. */
export async function inTransaction<Result>(
  client: ClientBase,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query('BEGIN')
  try {
    const result = await work()
    await client.query('COMMIT')
    return result
  } catch (error) {
    // If the connection is lost, the server rolls back by itself.
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** Work on a connection that it has for itself. */
type Work<Result> = (client: ClientBase) => Promise<Result>

/** A pool of connections. A backend that ends affects only the work on its connection. */
export class ConnectionPool {
  readonly #pool: Pool
  readonly #timeout: number
  readonly #lost = new WeakSet<ClientBase>()

  /** Work gets `timeout` milliseconds, connecting included. */
  constructor(options: PoolConfig, timeout: number) {
    this.#timeout = timeout
    this.#pool = new Pool(options)
    // An error without a listener ends the process. The pool replaces idle connections.
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', (client) => client.on('error', () => this.#lost.add(client)))
  }

  /** Runs work that changes nothing: it is repeated once if its connection is lost. */
  read<Result>(work: Work<Result>): Promise<Result> {
    return this.#run(work, 1)
  }

  /** Runs work that changes something: if the connection is lost, it may have been done. */
  write<Result>(work: Work<Result>): Promise<Result> {
    return this.#run(work, 0)
  }

  state(): Connections {
    const { options, totalCount, idleCount: idle, waitingCount: waiting } = this.#pool
    return { most: options.max, busy: totalCount - idle, idle, waiting }
  }

  async close(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end()
  }

  // What the server has rolled back is sent again.
  async #run<Result>(work: Work<Result>, mostLosses: number): Promise<Result> {
    // A statement that is sent later would be executed after its caller was told that it was not.
    const lastStart = performance.now() + this.#timeout - 2 * lockTimeout
    const { promise: expired, reject } = Promise.withResolvers<never>()
    expired.catch(() => undefined)
    const timer = setTimeout(() => {
      reject(new OutcomeUnknown(`PostgreSQL did not respond within ${this.#timeout} ms.`))
    }, this.#timeout)
    try {
      for (let losses = 0; ; ) {
        try {
          return await this.#tryOnce(work, expired)
        } catch (error) {
          if (error instanceof ConnectionLost && losses < mostLosses) losses++
          else if (!hasCode(error, rolledBack) || performance.now() > lastStart) {
            throw toStoreError(error)
          }
        }
        // At random, so that statements that blocked each other do not meet again.
        await wait(Math.random() * longestPause)
      }
    } finally {
      clearTimeout(timer)
    }
  }

  async #tryOnce<Result>(work: Work<Result>, expired: Promise<never>): Promise<Result> {
    const client = await this.#connect(expired)
    try {
      const result = await Promise.race([work(client), expired])
      client.release()
      return result
    } catch (error) {
      const isLost = this.#lost.has(client) || hasCode(error, lost)
      // A response that arrives later must not be that of the next statement.
      client.release(isLost || error instanceof StoreUnavailable)
      if (!isLost) throw error
      throw new ConnectionLost('The connection to PostgreSQL was lost.', { cause: error })
    }
  }

  async #connect(expired: Promise<never>): Promise<PoolClient> {
    const connecting = this.#pool.connect()
    try {
      return await Promise.race([connecting, expired])
    } catch (error) {
      connecting.then((client) => client.release()).catch(() => undefined)
      // Nothing was sent, so nothing was executed.
      const reason = `PostgreSQL cannot be reached: ${reasonOf(error)}.`
      const message = error instanceof StoreUnavailable ? error.message : reason
      throw new StoreUnavailable(message, { cause: error })
    }
  }
}
