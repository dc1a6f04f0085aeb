import { setTimeout as wait } from 'node:timers/promises'
import type { ClientBase, Pool } from 'pg'
import { migrationTable, pendingStatements } from '../migrations.ts'
import { inTransaction, isOf, query } from './connection.ts'

/** How often a start tries migrations that other instances are making, too. */
const mostAttempts = 10
const longestPause = 100

/** Milliseconds that the check of a pooler waits for its second backend, which may not exist. */
const poolerTimeout = 250

/** A migration may take longer than a request can wait. */
const noTimeouts = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0`

/**
 * Applies pending migrations, whatever other instances do so at the same time. A second pool is for
 * the check of a pooler.
 */
export async function migrate(pool: Pool, second: Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await assertPreparedStatements(client, second)
    await applyPending(client)
  } finally {
    client.release()
  }
}

// A transaction without a lock, which distributed engines do not have and which a pooler loses: of
// several instances, the later ones fail on the tables of the first, and try again.
async function applyPending(client: ClientBase): Promise<void> {
  const pending = async () => pendingStatements('postgres', await appliedMigrations(client))
  for (let attempt = 1; (await pending()).length > 0; attempt++) {
    try {
      await inTransaction(client, async () => {
        await client.query(noTimeouts)
        for (const statement of await pending()) await client.query(statement)
      })
    } catch (error) {
      const isConflict = isOf('conflicting', error) || isOf('rolledBack', error)
      if (!isConflict || attempt === mostAttempts) throw error
      await wait(Math.random() * longestPause)
    }
  }
}

async function appliedMigrations(client: ClientBase): Promise<readonly string[] | undefined> {
  const { name, select } = migrationTable
  const sql = 'SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = $1'
  const tables = await client.query(sql, [name])
  if (tables.rows.length === 0) return undefined
  return (await client.query<{ name: string }>(select)).rows.map((row) => row.name)
}

/**
 * Rejects if a pooler does not keep the prepared statements of a connection, as PgBouncer before 1.21
 * in transaction mode. While the second connection holds the backend that prepared a statement for
 * the first one, such a pooler gives the first one another backend.
 */
async function assertPreparedStatements(first: ClientBase, pool: Pool): Promise<void> {
  const select = () => query(first, ['SELECT 1'])
  await select()
  const second = await pool.connect()
  try {
    await second.query('BEGIN')
    const selecting = select()
    await Promise.race([selecting, wait(poolerTimeout, undefined, { ref: false })])
    await second.query('ROLLBACK')
    await selecting
  } finally {
    second.release()
  }
}
