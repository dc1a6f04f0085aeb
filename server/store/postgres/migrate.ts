import { setTimeout as wait } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { postgresDialect } from '../engine.ts'
import { migrationTable, pendingStatements } from '../migrations.ts'
import type { Schema } from '../schema.ts'
import { inTransaction, isOf } from './connection.ts'

/** How often a start tries migrations that other instances are making, too. */
const mostAttempts = 10
const longestPause = 100

/** A migration may take longer than a request can wait. */
const noTimeouts = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0`

/** Applies pending migrations, whatever other instances do so at the same time. */
// A transaction without a lock, which distributed engines do not have and which a pooler loses: of
// several instances, the later ones fail on the tables of the first, and try again.
export async function migrate(client: ClientBase, schema: Schema): Promise<void> {
  const pending = async () =>
    pendingStatements(postgresDialect, schema, await appliedMigrations(client))
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
