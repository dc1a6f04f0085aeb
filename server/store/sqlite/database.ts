import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { StoreRefused } from '../store-refused.ts'
import { createDialect } from './dialect.ts'
import { isBusy } from './faults.ts'
import { migrations } from './migrations.ts'
import type { Tables } from './tables.ts'

/** Marks a database file as ours (SQLite file format, header bytes 68 to 71): "ANIM". */
const applicationId = 0x414e494d

/** Milliseconds that a statement waits, and blocks, for another process to release its lock. */
const busyTimeout = 25

/** An open database, with the query builder that writes its SQL. */
export interface Database {
  readonly connection: DatabaseSync
  readonly queries: Kysely<Tables>
}

/** Opens a database file, or `:memory:`, and brings its tables up to date. */
export async function openDatabase(file: string): Promise<Database> {
  let connection: DatabaseSync | undefined
  try {
    if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
    connection = new DatabaseSync(file, { timeout: 5000 })
    refuseForeign(connection, file)
    configure(connection)
    const queries = new Kysely<Tables>({ dialect: createDialect(connection) })
    await migrate(queries)
    connection.exec(`PRAGMA busy_timeout = ${busyTimeout}`)
    return { connection, queries }
  } catch (cause) {
    connection?.close()
    if (cause instanceof StoreRefused) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StoreRefused(`Cannot open the database ${file}: ${reason}.`, { cause })
  }
}

// Reads only: a file that is not ours stays untouched.
function refuseForeign(connection: DatabaseSync, file: string): void {
  const tables = connection.prepare('SELECT count(*) AS count FROM sqlite_schema').get()
  const mark = connection.prepare('PRAGMA application_id').get()
  if (tables?.['count'] === 0 || mark?.['application_id'] === applicationId) return
  const advice = 'Point DATABASE_URL at another file.'
  throw new StoreRefused(`The database ${file} belongs to another program. ${advice}`)
}

function configure(connection: DatabaseSync): void {
  connection.exec(`
    PRAGMA application_id = ${applicationId};
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
  `)
}

// Two processes may come to a fresh file at once; the one that loses finds the work done.
async function migrate(queries: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({
    db: queries,
    provider: { getMigrations: async () => migrations },
  })
  for (let attempt = 1; ; attempt++) {
    const { error } = await migrator.migrateToLatest()
    if (error === undefined) return
    if (attempt === 20 || !(isBusy(error) || /already exists/.test(String(error)))) throw error
    await wait(10 * attempt)
  }
}
