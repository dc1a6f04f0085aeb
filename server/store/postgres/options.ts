import { type PoolConfig, types } from 'pg'
import { lockPatience, requestPatience, statementPatienceOf } from './patience.ts'

/** What those who open a database may choose. */
export interface PostgresOptions {
  /** Connections at most. */
  readonly poolSize?: number
  /** Milliseconds that a piece of work may take; by default what a request can wait for. */
  readonly patience?: number
}

// Without `uselibpqcompat` the driver takes these for verify-full, and prints a warning of nine lines.
const verifiedMode =
  /^(?!.*[?&]uselibpqcompat=true(?:&|$))(.*[?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/

/** Describes the `sslmode` of a URL where it means something else than to libpq; else undefined. */
export function sslModeNote(url: string): string | undefined {
  const mode = verifiedMode.exec(url)?.[2]
  if (mode === undefined) return undefined
  return `sslmode=${mode} verifies the certificate and the host name here, as verify-full does; no-verify verifies neither.`
}

/** What the service asks of every connection to a database, beside what its URL says. */
export function toPoolOptions(
  url: string,
  { poolSize, patience = requestPatience }: PostgresOptions,
): PoolConfig {
  return {
    connectionString: url.replace(verifiedMode, '$1verify-full'),
    application_name: 'animal-store',
    connectionTimeoutMillis: requestPatience,
    statement_timeout: statementPatienceOf(patience),
    lock_timeout: lockPatience,
    idle_in_transaction_session_timeout: patience,
    keepAlive: true,
    idleTimeoutMillis: 60_000,
    // After a failover, or when backends are added, connections spread anew.
    maxLifetimeSeconds: 1_800,
    types: { getTypeParser: toParser },
    ...(poolSize === undefined ? {} : { max: poolSize }),
  }
}

// What we keep in eight bytes is within what a number can say; the driver makes strings of them.
const toParser: typeof types.getTypeParser = (id, format) =>
  id === types.builtins.INT8 ? Number : types.getTypeParser(id, format)

/** Where a database is, in words without a password. */
export function placeOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = hostname || searchParams.get('host') || 'localhost'
  return `${host}${port && `:${port}`}, database ${decodeURIComponent(pathname.slice(1))}`
}
