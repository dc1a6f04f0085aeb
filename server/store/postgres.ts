import { hash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import {
  Client,
  type ClientBase,
  type ClientConfig,
  DatabaseError,
  Pool,
  type PoolConfig,
  types,
} from 'pg'
import { apiName } from '../process/names.ts'
import { reasonOf } from '../process/operator-error.ts'
import { type Engine, postgresDialect, type Query } from './engine.ts'
import { KeyInUse, StoreError, StoreUnavailable, UniqueViolation } from './errors.ts'
import { isUnmigrated, keyTable, pendingStatements } from './migrations.ts'
import type { Schema } from './schema.ts'
import type { StoreOptions } from './store.ts'

/** Milliseconds that a request waits for a connection, and then for a statement, before it gets 503. */
const requestTimeout = 1_500

/** Milliseconds that a statement waits for a lock before it is sent again. */
const lockTimeout = 250

/** Most milliseconds before a statement that was rolled back is sent again. */
const maxPause = 20

/** How often a start tries migrations: for about a minute. */
const maxAttempts = 30

/** Most milliseconds between two attempts. */
const maxAttemptPause = 1_500

/** Codes of errors, or how they begin: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const codes = {
  // Problems of the machine, its operator or other transactions, as opposed to mistakes in our SQL.
  // 25006 is a replica that receives a write, as during a failover; 42501, a privilege that is missing;
  // 26 and 42P05, a connection pooler that does not keep prepared statements.
  unavailable: ['25006', '26', '28', '3D', '40', '42501', '42P05', '53', '55', '57', '58'],
  // A backend that has ended, or announces that it ends. With 40003, a distributed engine does not
  // know whether a commit succeeded.
  lost: ['08', '40003', '57P01', '57P02', '57P03', '57P05'],
  protocolViolation: ['08P01'],
  // A statement that the server has rolled back because of another transaction: serialization
  // failure, deadlock, lock not available. It may be sent again.
  rolledBack: ['40001', '40P01', '55P03'],
  // A migration that another process was making at the same time, beside those.
  conflicting: ['23505', '42701', '42P07', '42710', 'XX000'],
  tableExists: ['42P07'],
  lockNotAvailable: ['55P03'],
  // Of a server that was the primary, or of a database or a session that was set to read only.
  readOnly: ['25006'],
  uniqueViolation: ['23505'],
}

/** Opens a database and applies pending migrations. */
export async function openPostgres(
  url: string,
  schema: Schema,
  { timeout = requestTimeout, poolSize }: StoreOptions,
): Promise<Engine> {
  const options = toPoolOptions(url, timeout, poolSize)
  const pool = createPool({ ...options, query_timeout: timeout })
  // A connection of its own, so that a busy pool does not look like a lost database.
  const probe = createPool({ ...options, query_timeout: requestTimeout, max: 1 })
  const close = async () => {
    if (!pool.ending) {
      await Promise.all([pool.end(), probe.end()])
    }
  }
  try {
    const client = new ClosingClient(options).on('error', () => undefined)
    await client.connect()
    await migrate(client, schema).finally(() => client.end())
  } catch (cause) {
    await close()
    const advice = isOf('lockNotAvailable', cause)
      ? 'A migration needs the lock of a table: start again when the session that holds it, such as a backup, has ended.'
      : 'Check DATABASE_URL, and that the database runs and lets the service in.'
    const problem = `Cannot open PostgreSQL at ${locationOf(url)}: ${reasonOf(cause)}.`
    throw new StoreError(`${problem} ${advice}${sslModeNote(url)}`, { cause })
  }
  return {
    dialect: postgresDialect,
    read: (...statement) => run(pool, 1, (client) => query(client, statement)),
    write: (...statements) => run(pool, 0, (client) => execute(client, statements)),
    async ping() {
      const sample: Query = ['SELECT 1 FROM api_keys LIMIT 1']
      await run(probe, 1, (client) => query(client, sample))
    },
    connections: () => {
      const { options, totalCount, idleCount: idle, waitingCount: waiting } = pool
      return { most: options.max, busy: totalCount - idle, idle, waiting }
    },
    close,
  }
}

/** Returns where a database is, without the password. */
function locationOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = hostname || searchParams.get('host') || 'localhost'
  return `${host}${port && `:${port}`}, database ${decodeURIComponent(pathname.slice(1))}`
}

// Without `uselibpqcompat` the driver takes these for verify-full, and prints a warning of nine lines.
const verifiedMode =
  /^(?!.*[?&]uselibpqcompat=true(?:&|$))(.*[?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/

/** Describes the `sslmode` of a URL if it means something else than to libpq. */
function sslModeNote(url: string): string {
  const mode = verifiedMode.exec(url)?.[2]
  if (mode === undefined) {
    return ''
  }
  return ` sslmode=${mode} verifies the certificate and the host name here, as verify-full does; no-verify verifies neither.`
}

/** Returns the options of every connection to a database. */
function toPoolOptions(url: string, timeout: number, max: number | undefined): PoolConfig {
  return {
    connectionString: url.replace(verifiedMode, '$1verify-full'),
    application_name: apiName,
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
    max,
  }
}

// Our integers of eight bytes are within what a number can represent; the driver returns strings.
const getTypeParser: typeof types.getTypeParser = (id, format) =>
  id === types.builtins.INT8 ? Number : types.getTypeParser(id, format)

/** Closes its socket when a handshake fails, which the driver leaves to the server. */
class ClosingClient extends Client {
  constructor(config?: ClientConfig) {
    const problem = problemWith(config)
    super(problem === undefined ? config : { host: '/nowhere' })
    this.connection.once('error', () => this.connection.stream.destroy())
    if (problem !== undefined) {
      process.nextTick(() => this.connection.emit('error', problem))
    }
  }
}

// A file of TLS that cannot be read is an exception, which ends the process where the pool gets it.
function problemWith(config?: ClientConfig): unknown {
  try {
    return void new Client(config)
  } catch (error) {
    return error
  }
}

// An error without a listener ends the process. The pool replaces connections that are lost.
function createPool(options: PoolConfig): Pool {
  const pool = new Pool({ ...options, Client: ClosingClient }).on('error', () => undefined)
  return pool.on('connect', (client) => client.on('error', () => undefined))
}

/**
 * Runs work on a connection of its own. What the server has rolled back is repeated while the request
 * that needs it may still wait, and so is work whose connection was lost, at most `repeats` times.
 */
async function run<Result>(
  pool: Pool,
  repeats: number,
  work: (client: ClientBase) => Promise<Result>,
): Promise<Result> {
  const { query_timeout: timeout = requestTimeout } = pool.options
  const lastStart = performance.now() + timeout - 2 * lockTimeout
  for (let losses = 0; ; ) {
    const client = await pool.connect().catch((cause: unknown) => {
      // Nothing was sent, so nothing was executed. The pool has one error for both.
      const advice =
        'Check that it runs and accepts more connections, and that DATABASE_URL is right. If so, look for slow statements and locks.'
      const message = `PostgreSQL gives no connection: ${reasonOf(cause)}. ${advice}`
      throw new StoreUnavailable(message, { cause })
    })
    try {
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      const hasNoResponse = isWithoutResponse(error)
      // A response that arrives later must not be that of the next statement. A connection may stay
      // read-only for as long as it lives.
      client.release(hasNoResponse || isOf('readOnly', error))
      const storeError = toStoreError(error, hasNoResponse)
      const isRepeatable = hasNoResponse ? losses++ < repeats : isOf('rolledBack', error)
      const mayRepeat = isRepeatable && performance.now() < lastStart
      if (!mayRepeat || storeError instanceof KeyInUse) {
        throw storeError
      }
    }
    // At random, so that statements that blocked each other do not meet again.
    await wait(Math.random() * maxPause)
  }
}

/**
 * Returns whether a statement got no response: the connection was lost, or the time was over. Whether it
 * was executed is unknown.
 */
function isWithoutResponse(error: unknown): boolean {
  // An error of the driver.
  if (!(error instanceof DatabaseError)) {
    return true
  }
  // A server sends it for a wrong message, such as one with too many values, and the connection remains. A
  // pooler sends it when it ends a connection.
  if (isOf('protocolViolation', error)) {
    return error.severity === 'FATAL'
  }
  return isOf('lost', error)
}

/** Converts an error to one of the store, unless our SQL is the reason. */
function toStoreError(cause: unknown, hasNoResponse: boolean): unknown {
  if (hasNoResponse) {
    const message = `PostgreSQL did not respond: ${reasonOf(cause)}. Check that it runs, and the network to it.`
    return new StoreUnavailable(message, { cause })
  }
  if (isOf('uniqueViolation', cause)) {
    return new UniqueViolation('A row with these values exists.', { cause })
  }
  // Another instance holds the row of an idempotency key: its client gets 409 sooner than by another
  // try. Only texts name the table, in the language of the server.
  if (isOf('lockNotAvailable', cause)) {
    const words = `${cause.message} ${cause.where}`.split(/\W+/)
    if (words.includes(keyTable)) {
      return new KeyInUse('The idempotency key is in use.', { cause })
    }
  }
  if (!isOf('unavailable', cause)) {
    return cause
  }
  const message = `PostgreSQL cannot respond: ${cause.message}. Check its log; docs/operations.md has advice, "When the store is unavailable".`
  return new StoreUnavailable(message, { cause })
}

/** Returns whether the server has sent an error with a code of a kind. */
function isOf(kind: keyof typeof codes, error: unknown): error is DatabaseError {
  const code = error instanceof DatabaseError ? error.code : undefined
  return code !== undefined && codes[kind].some((beginning) => code.startsWith(beginning))
}

/** Runs a statement, which the backend parses once for each connection. */
async function query<Row>(client: ClientBase, [text, ...values]: Query): Promise<Row[]> {
  const name = hash('sha256', text, 'base64url')
  const { rows } = await client.query({ name, text, values })
  return rows
}

/** Runs statements in one transaction, those after the first only if the first returns a row. */
async function execute<Row>(
  client: ClientBase,
  [first, ...others]: readonly [Query, ...Query[]],
): Promise<Row[]> {
  // A single statement needs no transaction, and leaves none open if the connection is lost.
  if (others.length === 0) {
    return query<Row>(client, first)
  }
  return inTransaction(client, async () => {
    const rows = await query<Row>(client, first)
    if (rows.length > 0) {
      for (const statement of others) {
        await query(client, statement)
      }
    }
    return rows
  })
}

async function inTransaction<Result>(
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
    if (error instanceof DatabaseError) {
      await client.query('ROLLBACK').catch(() => undefined)
    }
    throw error
  }
}

/**
 * A migration may take longer than a request can wait. It does not wait long for a lock, because
 * statements of other instances wait behind it: just until PostgreSQL has ended an autovacuum that
 * holds the lock (`deadlock_timeout`).
 */
const migrationTimeouts = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 1010;
  SET LOCAL idle_in_transaction_session_timeout = 0`

// A transaction without a lock, which distributed engines do not have and which a pooler loses: of
// several instances, the later ones fail on the tables of the first, and try again.
async function migrate(client: ClientBase, schema: Schema): Promise<void> {
  const read = async (text: string) => {
    // The database, or a pooler, may accept a connection and not respond.
    const statement = { text, query_timeout: requestTimeout }
    return (await client.query<{ name: string }>(statement)).rows
  }
  const pending = () => pendingStatements(postgresDialect, schema, read)
  for (let attempt = 1; (await pending()).length > 0; attempt++) {
    try {
      await inTransaction(client, async () => {
        await client.query(migrationTimeouts)
        for (const statement of await pending()) {
          await client.query(statement)
        }
      })
    } catch (error) {
      const isConflict = isOf('conflicting', error) || isOf('rolledBack', error)
      // The first table that an instance creates is that of migrations: without it, the table that
      // exists is another program's.
      const isForeign = isOf('tableExists', error) && (await isUnmigrated(postgresDialect, read))
      if (!isConflict || isForeign || attempt === maxAttempts) {
        throw error
      }
      await wait(Math.random() * maxAttemptPause)
    }
  }
}
