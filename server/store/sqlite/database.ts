import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { getSystemErrorMessage } from 'node:util'
import { migrationTable, statementsFor } from '../migrate.ts'
import { StoreRefused } from '../store-refused.ts'
import { damaged, refuseDamaged } from './damage.ts'
import { applicationId, prepareFile } from './database-file.ts'
import { isBusy, isDamage } from './faults.ts'
import { migrations } from './migrations.ts'
import { restrictFiles, warnOfFolder } from './permissions.ts'
import { createPlaceCheck } from './place-check.ts'
import { prepare } from './statement.ts'

/** Milliseconds that opening waits for other processes that open the same fresh file. */
const patience = 5000

/** Milliseconds that a statement waits, and blocks everything, for another process's lock. */
const busyTimeout = 5

/** An open database. */
export interface Database {
  readonly connection: DatabaseSync
  /** Throws a `StoreUnavailable` when the file is not where it was opened. */
  readonly assertInPlace: () => void
}

/** Called with one line about who can read the files of a database. */
export interface FileNotices {
  /** Permissions of files were changed, or should have been. */
  readonly onRestricted?: (notice: string) => void
  /** Other users can read the folder. */
  readonly onReadableFolder?: (notice: string) => void
}

/** Opens a database file, or `:memory:`, and brings its tables up to date. */
export async function openDatabase(name: string, notices: FileNotices): Promise<Database> {
  const file = name === ':memory:' ? name : resolve(name)
  // Two processes that turn a fresh file to WAL get in each other's way, whatever the timeout.
  for (const deadline = performance.now() + patience; ; await wait(10)) {
    try {
      const database = await tryToOpen(file, notices)
      const warning = file === ':memory:' ? undefined : warnOfFolder(file)
      if (warning !== undefined) notices.onReadableFolder?.(warning)
      return database
    } catch (cause) {
      if (isBusy(cause) && performance.now() < deadline) continue
      if (cause instanceof StoreRefused) throw cause
      if (isDamage(cause)) throw damaged(file, reasonOf(cause))
      throw new StoreRefused(`Cannot open the database ${file}: ${reasonOf(cause)}.`, { cause })
    }
  }
}

async function tryToOpen(file: string, { onRestricted }: FileNotices): Promise<Database> {
  if (file !== ':memory:') {
    prepareFile(file)
    const notice = restrictFiles(file)
    if (notice !== undefined) onRestricted?.(notice)
    refuseDamaged(file, busyTimeout)
  }
  const connection = new DatabaseSync(file, { timeout: busyTimeout })
  try {
    configure(connection)
    update(connection)
    return { connection, assertInPlace: createPlaceCheck(connection, file) }
  } catch (error) {
    connection.close()
    throw error
  }
}

function configure(connection: DatabaseSync): void {
  const mark = connection.prepare('PRAGMA application_id').get()
  // Only a fresh file is written to: opening does not wait for the writers of another process.
  if (mark?.['application_id'] !== applicationId) {
    connection.exec(`PRAGMA application_id = ${applicationId}`)
  }
  connection.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
  `)
}

// Two processes may come to a fresh file at once, and either may be killed: one at a time changes
// the tables, and all changes are made or none.
function update(connection: DatabaseSync): void {
  if (statementsFor(migrations, stepsTaken(connection)).length === 0) return
  connection.exec('BEGIN IMMEDIATE')
  // Whoever came first may have taken them meanwhile.
  const statements = statementsFor(migrations, stepsTaken(connection))
  for (const statement of statements) connection.exec(statement)
  connection.exec('COMMIT')
}

function stepsTaken(connection: DatabaseSync): readonly string[] | undefined {
  const { name, selectNames } = migrationTable
  const table = connection.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name)
  if (table === undefined) return undefined
  return prepare<{ name: string }>(connection, selectNames)
    .all()
    .map((row) => row.name)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isSystemError = 'syscall' in error && 'errno' in error && typeof error.errno === 'number'
  return isSystemError ? getSystemErrorMessage(Number(error.errno)) : error.message
}
