import { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type ClientBase, Pool, type PoolClient, type PoolConfig } from 'pg'
import { reasonOf } from '../../reason.ts'
import type { Connections } from '../store.ts'
import { StoreUnavailable } from '../store-unavailable.ts'
import { ConnectionLost, isFarewell } from './faults.ts'
import type { TooLate } from './patience.ts'

/** Work that is done on a connection that nobody else has meanwhile. */
export type Work<Result> = (client: ClientBase) => Promise<Result>

/** Connections, made when they are needed. */
export interface ConnectionPool {
  /** Rejects with a `ConnectionLost` when the connection ends on the way. */
  readonly use: <Result>(work: Work<Result>, tooLate: TooLate) => Promise<Result>
  readonly state: () => Connections
  readonly close: () => Promise<void>
}

/** Milliseconds that the server has for its side of a farewell. */
const farewell = 100

/** Makes a pool; a backend that ends ends nothing but the work that is done on it. */
export function createConnectionPool(options: PoolConfig): ConnectionPool {
  const { stream, hangUp } = keepSockets()
  const pool = new Pool({ ...options, stream })
  const lost = new WeakSet<ClientBase>()
  const closed = Promise.withResolvers<never>()
  closed.promise.catch(() => undefined)
  // An error that nobody listens for ends the process. The pool tells of idle connections, and
  // replaces them; one that is in use tells for itself.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => lost.add(client)))

  async function acquire(tooLate: TooLate): Promise<PoolClient> {
    const connecting = pool.connect()
    try {
      return await Promise.race([connecting, tooLate, closed.promise])
    } catch (error) {
      connecting.then((client) => client.release()).catch(() => undefined)
      // Nothing was sent, so nothing was done.
      if (error instanceof StoreUnavailable) {
        throw new StoreUnavailable(error.message, { cause: error })
      }
      const message = `PostgreSQL cannot be reached: ${reasonOf(error)}.`
      throw new StoreUnavailable(message, { cause: error })
    }
  }

  return {
    async use(work, tooLate) {
      const client = await acquire(tooLate)
      try {
        const result = await Promise.race([work(client), tooLate])
        client.release()
        return result
      } catch (error) {
        const isLost = lost.has(client) || isFarewell(error)
        // What is too late may still be answered, to whoever has the connection then: nobody.
        client.release(isLost || error instanceof StoreUnavailable)
        if (!isLost) throw error
        throw new ConnectionLost('The connection to PostgreSQL was lost.', { cause: error })
      }
    },
    state() {
      const { options, totalCount, idleCount: idle, waitingCount: waiting } = pool
      return { most: options.max, busy: totalCount - idle, idle, waiting }
    },
    async close() {
      closed.reject(new StoreUnavailable('The database is closed.'))
      if (!pool.ending) await pool.end()
      await hangUp()
    },
  }
}

// The pool forgets a connection once it has said goodbye, but its socket stays open, and the process
// with it, until the server closes its side: never, where that stalls.
function keepSockets() {
  const open = new Map<Socket, Promise<void>>()
  return {
    stream(): Socket {
      const socket = new Socket()
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
      open.set(socket, closed)
      void closed.then(() => open.delete(socket))
      return socket
    },
    async hangUp(): Promise<void> {
      const isOver = new AbortController()
      const late = wait(farewell, undefined, { signal: isOver.signal }).catch(() => undefined)
      await Promise.race([Promise.all(open.values()), late])
      isOver.abort()
      for (const socket of open.keys()) socket.destroy()
    },
  }
}
