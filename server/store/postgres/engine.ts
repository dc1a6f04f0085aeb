import { setTimeout as wait } from 'node:timers/promises'
import { type ClientBase, DatabaseError, Pool, type PoolClient, type PoolConfig } from 'pg'
import { reasonOf } from '../../plain-error.ts'
import { type Engine, postgresDialect, type Query } from '../engine.ts'
import { KeyInUse, OutcomeUnknown, StoreError, StoreUnavailable } from '../errors.ts'
import type { Schema } from '../schema.ts'
import type { StoreOptions } from '../store.ts'
import {
  inTransaction,
  isOf,
  lockTimeout,
  poolerAdvice,
  query,
  requestTimeout,
  sslModeNote,
  toPoolOptions,
} from './connection.ts'
import { migrate } from './migrate.ts'

/** Most milliseconds before a statement that was rolled back is sent again. */
const longestPause = 20

/** Opens a database and applies pending migrations. */
export async function openPostgres(
  url: string,
  schema: Schema,
  { timeout = requestTimeout, poolSize }: StoreOptions,
): Promise<Engine> {
  const options = toPoolOptions(url, timeout, poolSize)
  const keyTables = schema.tables
    .filter(({ holdsIdempotencyKeys }) => holdsIdempotencyKeys)
    .map(({ name }) => name)
  const pool = createPool(options)
  // A connection of its own, so that a busy pool does not look like a lost database.
  const probe = createPool({ ...options, max: 1 })
  const close = async () => {
    if (!pool.ending) await Promise.all([pool.end(), probe.end()])
  }
  try {
    const client = await probe.connect()
    await migrate(client, schema).finally(() => client.release())
  } catch (cause) {
    await close()
    const advice = 'Check DATABASE_URL, and that the database runs and lets the service in.'
    const problem = `Cannot open PostgreSQL at ${locationOf(url)}: ${reasonOf(cause)}.`
    throw new StoreError(`${problem} ${advice}${sslModeNote(url)}`, { cause })
  }
  return {
    dialect: postgresDialect,
    read: (...statement) => run(pool, timeout, 1, (client) => query(client, statement)),
    write: <Row>(...statements: readonly [Query, ...Query[]]) =>
      run(pool, timeout, 0, (client) =>
        execute<Row>(client, statements).catch((error) => throwKeyInUse(error, keyTables)),
      ),
    ping: async () => void (await run(probe, requestTimeout, 1, (client) => query(client, sample))),
    connections: () => {
      const { options, totalCount, idleCount: idle, waitingCount: waiting } = pool
      return { most: options.max, busy: totalCount - idle, idle, waiting }
    },
    close,
  }
}

const sample: Query = ['SELECT 1 FROM api_keys LIMIT 1']

/** Returns where a database is, without the password. */
function locationOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = hostname || searchParams.get('host') || 'localhost'
  return `${host}${port && `:${port}`}, database ${decodeURIComponent(pathname.slice(1))}`
}

// An error without a listener ends the process. The pool replaces connections that are lost.
function createPool(options: PoolConfig): Pool {
  const pool = new Pool(options).on('error', () => undefined)
  return pool.on('connect', (client) => client.on('error', () => undefined))
}

/** Runs statements in one transaction, those after the first only if the first returns a row. */
async function execute<Row>(
  client: ClientBase,
  [first, ...others]: readonly [Query, ...Query[]],
): Promise<Row[]> {
  // A single statement needs no transaction, and leaves none open if the connection is lost.
  if (others.length === 0) return query<Row>(client, first)
  return inTransaction(client, async () => {
    const rows = await query<Row>(client, first)
    if (rows.length > 0) for (const statement of others) await query(client, statement)
    return rows
  })
}

/**
 * Runs work on a connection of its own within `timeout` milliseconds, connecting included. Work that
 * the server has rolled back is repeated, and work whose connection was lost at most `repeats` times.
 */
async function run<Result>(
  pool: Pool,
  timeout: number,
  repeats: number,
  work: (client: ClientBase) => Promise<Result>,
): Promise<Result> {
  // A statement that is sent later would be executed after its caller has got 503.
  const lastStart = performance.now() + timeout - 2 * lockTimeout
  const { promise: expired, reject } = Promise.withResolvers<never>()
  expired.catch(() => undefined)
  const timer = setTimeout(() => {
    reject(new OutcomeUnknown(`PostgreSQL did not respond within ${timeout} ms.`))
  }, timeout)
  try {
    for (let losses = 0; ; ) {
      const client = await connect(pool, expired)
      try {
        const result = await Promise.race([work(client), expired])
        client.release()
        return result
      } catch (error) {
        const isOfServer = error instanceof DatabaseError || error instanceof KeyInUse
        const isLost = !isOfServer || isOf('lost', error)
        // A response that arrives later must not be that of the next statement.
        client.release(isLost)
        const mayRepeat = isLost
          ? !(error instanceof StoreUnavailable) && losses++ < repeats
          : isOf('rolledBack', error) && performance.now() < lastStart
        if (!mayRepeat) throw isLost ? toLost(error) : toStoreError(error)
      }
      // At random, so that statements that blocked each other do not meet again.
      await wait(Math.random() * longestPause)
    }
  } finally {
    clearTimeout(timer)
  }
}

async function connect(pool: Pool, expired: Promise<never>): Promise<PoolClient> {
  const connecting = pool.connect()
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

function toLost(error: unknown): unknown {
  if (error instanceof StoreUnavailable) return error
  return new OutcomeUnknown('The connection to PostgreSQL was lost.', { cause: error })
}

/**
 * Throws an error again: as `KeyInUse` if another instance holds the row of an idempotency key, whose
 * client gets 409 sooner than by another try.
 */
function throwKeyInUse(error: unknown, keyTables: readonly string[]): never {
  if (!(error instanceof DatabaseError) || error.code !== '55P03') throw error
  // Only texts name the table, in the language of the server.
  const words = `${error.message} ${error.where}`.split(/\W+/)
  if (!keyTables.some((table) => words.includes(table))) throw error
  throw new KeyInUse('The idempotency key is in use.', { cause: error })
}

/** Converts an error of the server to one of the store, unless our SQL is the reason. */
function toStoreError(error: unknown): unknown {
  if (isOf('unprepared', error)) {
    return new StoreUnavailable(`PostgreSQL cannot respond. ${poolerAdvice}`, { cause: error })
  }
  if (!isOf('unavailable', error)) return error
  return new StoreUnavailable(`PostgreSQL cannot respond: ${error.message}.`, { cause: error })
}
