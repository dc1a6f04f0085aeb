import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { Pool, type PoolConfig } from 'pg'
import { createMigrationBuilder, type MigrationBuilder, migrate } from '../migrate.ts'
import { createMigrationDialect } from './dialect.ts'
import { isOvertaken } from './faults.ts'
import { migrations } from './migrations.ts'

/** How often a start is overtaken, by others that make the same change, before it gives up. */
const mostAttempts = 10
const longestPause = 100

/** Encodings that keep every name byte for byte. */
const encodings = ['UTF8', 'SQL_ASCII']

/** Brings the tables of a database up to date, whoever else is doing so at the same time. */
export async function update(options: PoolConfig): Promise<void> {
  // A change of the tables may take its time.
  const unhurried = {
    statement_timeout: 0,
    lock_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  }
  const pool = new Pool({ ...options, ...unhurried, max: 1 })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const queries = createMigrationBuilder(createMigrationDialect(pool))
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        return await tryToUpdate(queries)
      } catch (error) {
        if (!isOvertaken(error) || attempt === mostAttempts) throw error
      }
      await wait(Math.random() * longestPause)
    }
  } finally {
    await queries.destroy()
  }
}

async function tryToUpdate(queries: MigrationBuilder): Promise<void> {
  const { rows } = await sql<{ encoding: string; schema: string | null }>`
    SELECT current_setting('server_encoding') AS encoding, current_schema() AS schema`.execute(
    queries,
  )
  const { encoding = '', schema = null } = rows[0] ?? {}
  if (!encodings.includes(encoding)) {
    throw new Error(`its encoding is ${encoding}, where ${encodings.join(' or ')} is needed`)
  }
  if (schema === null) throw new Error('its search_path names no schema that is there')
  await queries.transaction().execute(async (db) => {
    const provider = { getMigrations: async () => migrations }
    await migrate(new Migrator({ db, provider, migrationTableSchema: schema }))
  })
}
