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

/** Most milliseconds before a statement is sent again. */
const maxRepeatPause = 20

/** How often a read is repeated whose connection was lost. */
const repeatsOfRead = 1

/** A write whose connection was lost may have been executed. */
const repeatsOfWrite = 0

/** How often a start tries migrations: for about a minute. */
const maxMigrationAttempts = 30

/** Most milliseconds between two attempts. */
const maxMigrationPause = 1_500

/** Codes of errors by their kind, or how the codes begin: https://www.postgresql.org/docs/current/errcodes-appendix.html */
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
  // Beside `rolledBack`, errors of a migration that another process is making at the same time.
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
  const pool = createPool({
    ...options,
    query_timeout: timeout,
    connectionTimeoutMillis: timeout,
  })
  // A connection of its own, so that a busy pool does not look like a lost database.
  const probe = createPool({ ...options, query_timeout: requestTimeout, max: 1 })
  const close = async () => {
    if (!pool.ending) {
      await Promise.all([pool.end(), probe.end()])
    }
  }
  try {
    const client = new StrictClient(options).on('error', () => undefined)
    await client.connect()
    await migrate(client, schema).finally(() => client.end())
  } catch (cause) {
    await close()
    const advice = isErrorOf('lockNotAvailable', cause)
      ? 'A migration needs the lock of a table: start again when the session that holds it, such as a backup, has ended.'
      : 'Check DATABASE_URL, and that the database runs and lets the service in.'
    const problem = `Cannot open PostgreSQL at ${locationOf(url)}: ${reasonOf(cause)}.`
    throw new StoreError(`${problem} ${advice}${sslModeNote(url)}`, { cause })
  }
  return {
    dialect: postgresDialect,
    read: (...statement) => run(pool, repeatsOfRead, (client) => query(client, statement)),
    write: (...statements) => run(pool, repeatsOfWrite, (client) => execute(client, statements)),
    async ping() {
      const sample: Query = ['SELECT 1 FROM api_keys LIMIT 1']
      await run(probe, repeatsOfRead, (client) => query(client, sample))
    },
    connections: () => {
      const { options, totalCount, idleCount, waitingCount } = pool
      const busyCount = totalCount - idleCount
      return { most: options.max, busy: busyCount, idle: idleCount, waiting: waitingCount }
    },
    close,
  }
}

/** Returns where a database is, without the password. */
function locationOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = hostname || searchParams.get('host') || 'localhost'
  const address = port === '' ? host : `${host}:${port}`
  const database = decodeURIComponent(pathname.slice(1))
  return `${address}, database ${database}`
}

/** Values of `sslmode` that the driver takes for verify-full, with a warning of nine lines. libpq verifies less. */
const modesTakenForVerifyFull = ['prefer', 'require', 'verify-ca']

/** Returns the `sslmode` of a URL if it means something else than to libpq. */
function modeTakenForVerifyFull(url: string): string | undefined {
  const { searchParams } = new URL(url)
  if (searchParams.get('uselibpqcompat') === 'true') {
    return undefined
  }
  // Of several, the driver takes the last one.
  const mode = searchParams.getAll('sslmode').at(-1)
  return modesTakenForVerifyFull.find((each) => each === mode)
}

/** Describes the `sslmode` of a URL if it means something else than to libpq. */
function sslModeNote(url: string): string {
  const mode = modeTakenForVerifyFull(url)
  if (mode === undefined) {
    return ''
  }
  return ` sslmode=${mode} verifies the certificate and the host name here, as verify-full does; no-verify verifies neither.`
}

/** Names verify-full where the driver would print its warning. */
function withoutWarning(url: string): string {
  if (modeTakenForVerifyFull(url) === undefined) {
    return url
  }
  const verified = new URL(url)
  verified.searchParams.set('sslmode', 'verify-full')
  return verified.href
}

/** Returns the options of every connection to a database. */
function toPoolOptions(url: string, timeout: number, max: number | undefined): PoolConfig {
  return {
    connectionString: withoutWarning(url),
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

type OnConnect = Parameters<Client['connect']>[0]

/**
 * A client of the driver that reports every problem as a failed connection, and closes its socket then. The
 * driver throws where a file of TLS cannot be read, which ends the process where a pool creates the client.
 */
class StrictClient extends Client {
  /** Why the configuration cannot be used. */
  readonly #problem: Error | undefined

  constructor(config?: ClientConfig) {
    const problem = problemWith(config)
    // The driver throws again for a configuration with a problem. Without one, the client never connects.
    super(problem === undefined ? config : {})
    this.#problem = problem
    // After a failed handshake, the driver waits until the server closes the socket.
    this.connection.once('error', () => this.connection.stream.destroy())
  }

  override connect(): Promise<Client>
  override connect(onConnect: OnConnect): void
  override connect(onConnect?: OnConnect): Promise<Client> | undefined {
    const problem = this.#problem
    if (onConnect === undefined) {
      return problem === undefined ? super.connect() : Promise.reject(problem)
    }

    if (problem === undefined) {
      super.connect(onConnect)
    } else {
      // Not at once: the pool creates the next client in this callback.
      process.nextTick(onConnect, problem)
    }
    return undefined
  }
}

/** Returns the error that the driver throws for a configuration; undefined if it throws none. */
function problemWith(config?: ClientConfig): Error | undefined {
  try {
    new Client(config)
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

// An error without a listener ends the process. The pool replaces connections that are lost.
function createPool(options: PoolConfig): Pool {
  const pool = new Pool({ ...options, Client: StrictClient }).on('error', () => undefined)
  return pool.on('connect', (client) => client.on('error', () => undefined))
}

/**
 * Runs work on a connection of its own. What the server has rolled back is repeated while the request
 * that needs it may still wait, and so is work whose connection was lost, at most `maxLosses` times.
 */
async function run<Result>(
  pool: Pool,
  maxLosses: number,
  work: (client: ClientBase) => Promise<Result>,
): Promise<Result> {
  const { query_timeout: timeout = requestTimeout } = pool.options
  const lastStart = performance.now() + timeout - 2 * lockTimeout
  let losses = 0
  while (true) {
    const client = await pool.connect().catch(rejectWithoutConnection)
    try {
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      const hasNoResponse = isWithoutResponse(error)
      // A response that arrives later must not be that of the next statement. A connection may stay
      // read-only for as long as it lives.
      const mustClose = hasNoResponse || isErrorOf('readOnly', error)
      client.release(mustClose)

      if (hasNoResponse) {
        losses++
      }
      const isRepeatable = hasNoResponse ? losses <= maxLosses : isErrorOf('rolledBack', error)
      const hasTime = performance.now() < lastStart
      const storeError = toStoreError(error, hasNoResponse)
      if (!isRepeatable || !hasTime || storeError instanceof KeyInUse) {
        throw storeError
      }
    }
    // At random, so that statements that blocked each other do not meet again.
    await wait(Math.random() * maxRepeatPause)
  }
}

function rejectWithoutConnection(cause: unknown): never {
  // Nothing was sent, so nothing was executed. The pool has one error for both.
  const advice =
    'Check that it runs and accepts more connections, and that DATABASE_URL is right. If so, look for slow statements and locks.'
  const message = `PostgreSQL gives no connection: ${reasonOf(cause)}. ${advice}`
  throw new StoreUnavailable(message, { cause })
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
  // A server sends this code for a wrong message, such as one with too many values, and the connection
  // remains. A pooler sends this code when it ends a connection.
  if (isErrorOf('protocolViolation', error)) {
    return error.severity === 'FATAL'
  }
  return isErrorOf('lost', error)
}

/** Converts an error to one of the store, unless our SQL is the reason. */
function toStoreError(cause: unknown, hasNoResponse: boolean): unknown {
  if (hasNoResponse) {
    const message = `PostgreSQL did not respond: ${reasonOf(cause)}. Check that it runs, and the network to it.`
    return new StoreUnavailable(message, { cause })
  }
  if (isErrorOf('uniqueViolation', cause)) {
    return new UniqueViolation('A row with these values exists.', { cause })
  }
  // Another instance holds the row of the key. Its client gets 409 sooner than after another attempt.
  if (isErrorOf('lockNotAvailable', cause) && namesTable(cause, keyTable)) {
    return new KeyInUse('The idempotency key is in use.', { cause })
  }
  if (!isErrorOf('unavailable', cause)) {
    return cause
  }
  const message = `PostgreSQL cannot respond: ${cause.message}. Check its log; docs/operations.md has advice, "When the store is unavailable".`
  return new StoreUnavailable(message, { cause })
}

/**
 * Returns whether an error names a table. PostgreSQL names the table of a lock in its texts alone, such as
 * `while locking tuple (0,1) in relation "idempotency_keys"`, and the other words are in the language of the server.
 */
function namesTable({ message, where = '' }: DatabaseError, table: string): boolean {
  const words = `${message} ${where}`.split(/\W+/)
  return words.includes(table)
}

/** Returns whether the server has sent an error whose code is of a kind. */
function isErrorOf(kind: keyof typeof codes, error: unknown): error is DatabaseError {
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
 * statements of other instances wait behind it. The time is enough for PostgreSQL to end an autovacuum
 * that holds the lock, after `deadlock_timeout`.
 */
const migrationTimeouts = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 1010;
  SET LOCAL idle_in_transaction_session_timeout = 0`

// Instances do not lock each other out: distributed engines have no such lock, and a pooler loses it. Of
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
      const isConflict = isErrorOf('conflicting', error) || isErrorOf('rolledBack', error)
      // The first table that an instance creates is the table of migrations. If this table is missing,
      // the table that exists belongs to another program.
      const isForeign =
        isErrorOf('tableExists', error) && (await isUnmigrated(postgresDialect, read))
      if (!isConflict || isForeign || attempt === maxMigrationAttempts) {
        throw error
      }
      await wait(Math.random() * maxMigrationPause)
    }
  }
}
