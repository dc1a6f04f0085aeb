import { hash, randomBytes } from 'node:crypto'
import { type ClientBase, DatabaseError, type PoolConfig, types } from 'pg'
import { apiName } from '../../names.ts'
import type { Query } from '../engine.ts'

/** Milliseconds after which a request gets 503 while the database does not respond. */
export const requestTimeout = 1_500

/** Milliseconds that a statement waits for a lock before it is sent again. */
export const lockTimeout = 250

/** Advice about a pooler that gives a connection a backend without its prepared statements. */
export const poolerAdvice =
  'The connection pooler in front of it does not keep prepared statements: set its pool_mode to session, or use PgBouncer 1.21 or later with max_prepared_statements above 0.'

// Without `uselibpqcompat` the driver takes these for verify-full, and prints a warning of nine lines.
const verifiedMode =
  /^(?!.*[?&]uselibpqcompat=true(?:&|$))(.*[?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/

/** Describes the `sslmode` of a URL if it means something else than to libpq. */
export function sslModeNote(url: string): string {
  const mode = verifiedMode.exec(url)?.[2]
  if (mode === undefined) return ''
  return ` sslmode=${mode} verifies the certificate and the host name here, as verify-full does; no-verify verifies neither.`
}

/** Returns the options of every connection to a database. */
export function toPoolOptions(url: string, timeout: number, poolSize?: number): PoolConfig {
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
    ...(poolSize === undefined ? {} : { max: poolSize }),
  }
}

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

/** Codes of errors, or how they begin: https://www.postgresql.org/docs/current/errcodes-appendix.html */
export const codes = {
  // Problems of the machine, its operator or other transactions, as opposed to mistakes in our SQL.
  // 25006 is a replica that receives a write, as during a failover.
  unavailable: ['25006', '28', '3D', '40', '53', '55', '57', '58'],
  // A backend that has ended, or announces that it ends. With 40003, a distributed engine does not
  // know whether a commit succeeded.
  lost: ['08', '40003', '57P01', '57P02', '57P03', '57P05'],
  // A statement that the server has rolled back because of another transaction: serialization
  // failure, deadlock, lock not available. It may be sent again.
  rolledBack: ['40001', '40P01', '55P03'],
  // A migration that another process was making at the same time, beside those.
  conflicting: ['23505', '42P07', '42710', 'XX000'],
  // A backend that does not have the prepared statement that it should execute.
  unprepared: ['26000'],
}

/** Returns whether the server has sent an error with a code of a kind. */
export function isOf(kind: keyof typeof codes, error: unknown): error is DatabaseError {
  const code = error instanceof DatabaseError ? error.code : undefined
  return code !== undefined && codes[kind].some((beginning) => code.startsWith(beginning))
}
