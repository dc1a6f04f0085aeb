import type { ClientBase } from 'pg'
import { reasonOf } from '../../plain-error.ts'
import { type Engine, postgresDialect, type Query } from '../engine.ts'
import { KeyInUse, StoreError } from '../errors.ts'
import type { StoreOptions } from '../store.ts'
import { hasCode, poolerAdvice, unprepared } from './errors.ts'
import { migrate } from './migrate.ts'
import {
  ConnectionPool,
  inTransaction,
  query,
  requestTimeout,
  sslModeNote,
  toPoolOptions,
} from './pool.ts'

/** Opens a database and applies pending migrations. */
export async function openPostgres(
  url: string,
  { timeout = requestTimeout, poolSize }: StoreOptions,
): Promise<Engine> {
  const options = toPoolOptions(url, timeout, poolSize)
  try {
    await migrate(options)
  } catch (cause) {
    const advice = 'Check DATABASE_URL, and that the database runs and lets the service in.'
    const what = hasCode(cause, unprepared)
      ? poolerAdvice
      : [advice, sslModeNote(url)].join(' ').trim()
    const message = `Cannot open PostgreSQL at ${locationOf(url)}: ${reasonOf(cause)}. ${what}`
    throw new StoreError(message, { cause })
  }
  const pool = new ConnectionPool(options, timeout)
  // A connection of its own, so that a busy pool does not look like a lost database.
  const probe = new ConnectionPool({ ...options, max: 1 }, requestTimeout)
  return {
    dialect: postgresDialect,
    read: (...statement) => pool.read((client) => query(client, statement)),
    write: <Row>(first: Query, ...others: readonly Query[]) =>
      pool.write((client) => execute<Row>(client, first, others)),
    ping: async () => void (await probe.read((client) => query(client, [sampleRow]))),
    connections: () => pool.state(),
    close: async () => void (await Promise.all([pool.close(), probe.close()])),
  }
}

const sampleRow = 'SELECT 1 FROM animals LIMIT 1'

async function execute<Row>(client: ClientBase, first: Query, others: readonly Query[]) {
  try {
    // A single statement needs no transaction, and leaves none open if the connection is lost.
    if (others.length === 0) return await query<Row>(client, first)
    return await inTransaction(client, async () => {
      const rows = await query<Row>(client, first)
      if (rows.length > 0) for (const statement of others) await query(client, statement)
      return rows
    })
  } catch (error) {
    // Another instance holds the row of the key. Not to be sent again: its client gets 409 sooner.
    const isKeyLocked =
      hasCode(error, ['55P03']) && `${error.message} ${error.where}`.includes('idempotency_keys')
    if (!isKeyLocked) throw error
    throw new KeyInUse('Another instance is using the idempotency key.', { cause: error })
  }
}

/** Returns where a database is, without the password. */
function locationOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = hostname || searchParams.get('host') || 'localhost'
  return `${host}${port && `:${port}`}, database ${decodeURIComponent(pathname.slice(1))}`
}
