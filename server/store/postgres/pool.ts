import { Socket } from 'node:net'
import { type ClientBase, Pool, type PoolClient, type PoolConfig, types } from 'pg'
import { reasonOf } from '../../plain-error.ts'
import { StoreUnavailable } from '../errors.ts'
import type { Connections } from '../store.ts'
import { ConnectionLost, isTermination } from './errors.ts'

/** Milliseconds after which a request gets 503 while the database does not respond. */
export const requestTimeout = 1_500

/** Milliseconds that a statement waits for a lock before it is sent again. */
export const lockTimeout = 250

/** Milliseconds that the server has to close a connection. */
const closeTimeout = 100

/** Work on a connection that it has for itself. */
export type Work<Result> = (client: ClientBase) => Promise<Result>

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
    // Connections spread again after a failover, or when backends are added.
    maxLifetimeSeconds: 1_800,
    types: { getTypeParser },
    ...(poolSize === undefined ? {} : { max: poolSize }),
  }
}

// Our integers of eight bytes are within what a number can represent; the driver returns strings.
const getTypeParser: typeof types.getTypeParser = (id, format) =>
  id === types.builtins.INT8 ? Number : types.getTypeParser(id, format)

/** A pool of connections. A backend that ends affects only the work on its connection. */
export class ConnectionPool {
  readonly #pool: Pool
  readonly #sockets = new Set<Socket>()
  readonly #lost = new WeakSet<ClientBase>()

  constructor(options: PoolConfig) {
    this.#pool = new Pool({ ...options, stream: () => this.#createSocket() })
    // An error without a listener ends the process. The pool replaces idle connections.
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', (client) => client.on('error', () => this.#lost.add(client)))
  }

  /** Works on a connection until it is done or `expired` rejects. */
  async use<Result>(work: Work<Result>, expired: Promise<never>): Promise<Result> {
    const client = await this.#acquire(expired)
    try {
      const result = await Promise.race([work(client), expired])
      client.release()
      return result
    } catch (error) {
      const isLost = this.#lost.has(client) || isTermination(error)
      // A response that arrives later must not be that of the next statement.
      client.release(isLost || error instanceof StoreUnavailable)
      if (!isLost) throw error
      throw new ConnectionLost('The connection to PostgreSQL was lost.', { cause: error })
    }
  }

  async #acquire(expired: Promise<never>): Promise<PoolClient> {
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

  state(): Connections {
    const { options, totalCount, idleCount: idle, waitingCount: waiting } = this.#pool
    return { most: options.max, busy: totalCount - idle, idle, waiting }
  }

  async close(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end()
    // A socket stays open, and the process with it, until the server closes its side.
    const destroyAll = (): void => this.#sockets.forEach((socket) => void socket.destroy())
    setTimeout(destroyAll, closeTimeout).unref()
  }

  #createSocket(): Socket {
    const socket = new Socket()
    this.#sockets.add(socket)
    return socket.once('close', () => this.#sockets.delete(socket))
  }
}
