import { setTimeout as wait } from 'node:timers/promises'
import { type ClientBase, Pool, type PoolConfig } from 'pg'
import { migrationTable, statementsFor } from '../migrate.ts'
import { isOvertaken } from './faults.ts'
import { migrations } from './migrations.ts'
import { assertPreparedStatements } from './prepared-statements.ts'
import { inTransaction } from './transaction.ts'

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
  const pool = new Pool({ ...options, ...unhurried, max: 2 })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  try {
    await assertPreparedStatements(pool)
    for (let attempt = 1; ; attempt++) {
      try {
        return await tryToUpdate(pool)
      } catch (error) {
        if (!isOvertaken(error) || attempt === mostAttempts) throw error
      }
      await wait(Math.random() * longestPause)
    }
  } finally {
    await pool.end()
  }
}

async function tryToUpdate(pool: Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await assertSuitable(client)
    if (statementsFor(migrations, await stepsTaken(client)).length === 0) return
    // One transaction and no lock, which distributed engines do not have and which a pooler in
    // between loses: of several the later ones meet the tables of the first, are undone, and look
    // again.
    await inTransaction(async () => {
      const statements = statementsFor(migrations, await stepsTaken(client))
      for (const statement of statements) await client.query(statement)
    })(client)
  } finally {
    client.release()
  }
}

async function assertSuitable(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ encoding: string; schema: string | null }>(
    "SELECT current_setting('server_encoding') AS encoding, current_schema() AS schema",
  )
  const { encoding = '', schema = null } = rows[0] ?? {}
  if (!encodings.includes(encoding)) {
    throw new Error(`its encoding is ${encoding}, where ${encodings.join(' or ')} is needed`)
  }
  if (schema === null) throw new Error('its search_path names no schema that is there')
}

async function stepsTaken(client: ClientBase): Promise<readonly string[] | undefined> {
  const { name, selectNames } = migrationTable
  const tables = await client.query(
    'SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = $1',
    [name],
  )
  if (tables.rows.length === 0) return undefined
  return (await client.query<{ name: string }>(selectNames)).rows.map((row) => row.name)
}
