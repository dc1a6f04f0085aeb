import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { getSystemErrorMessage } from 'node:util'
import { reasonOf } from '../../plain-error.ts'
import { StoreError } from '../errors.ts'
import { migrationTable, pendingStatements } from '../migrations.ts'
import type { StoreOptions } from '../store.ts'
import {
  applicationId,
  prepareFile,
  rejectDamaged,
  restrictFiles,
  warnOfFolder,
} from './database-file.ts'
import { damaged, isBusy, isDamage } from './errors.ts'
import { createIdentityCheck } from './file-identity.ts'
import { prepare } from './statement.ts'

/** Milliseconds that opening waits for other processes that open the same new file. */
const openTimeout = 5000

/** Milliseconds that a statement blocks the process while another process holds the lock. */
const busyTimeout = 5

/** An open database. */
export interface Database {
  readonly connection: DatabaseSync
  /** Throws a `StoreUnavailable` if its files are not those that were opened. */
  readonly assertInPlace: () => void
}

/** Opens a database file, or `:memory:`, and applies pending migrations. */
export async function openDatabase(name: string, options: StoreOptions): Promise<Database> {
  const file = name === ':memory:' ? name : resolve(name)
  // Two processes that switch a new file to WAL lock each other out, whatever the busy timeout.
  for (const deadline = performance.now() + openTimeout; ; await wait(10)) {
    try {
      const database = tryToOpen(file, options)
      const warning = file === ':memory:' ? undefined : warnOfFolder(file)
      if (warning !== undefined) options.onReadableFolder?.(warning)
      return database
    } catch (cause) {
      if (isBusy(cause) && performance.now() < deadline) continue
      if (cause instanceof StoreError) throw cause
      const reason = systemReasonOf(cause) ?? reasonOf(cause)
      if (isDamage(cause)) throw damaged(file, reason)
      throw new StoreError(`Cannot open the database ${file}: ${reason}.`, { cause })
    }
  }
}

function tryToOpen(file: string, { onRestricted }: StoreOptions): Database {
  if (file !== ':memory:') {
    prepareFile(file)
    const notice = restrictFiles(file)
    if (notice !== undefined) onRestricted?.(notice)
    rejectDamaged(file, busyTimeout)
  }
  const connection = new DatabaseSync(file, { timeout: busyTimeout })
  try {
    const { application_id: mark } = connection.prepare('PRAGMA application_id').get() ?? {}
    // Only a new file is marked: opening does not wait for the writers of another process.
    if (mark !== applicationId) connection.exec(`PRAGMA application_id = ${applicationId}`)
    connection.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON',
    )
    migrate(connection)
    return { connection, assertInPlace: createIdentityCheck(connection, file) }
  } catch (error) {
    connection.close()
    throw error
  }
}

// Two processes may open a new file at once, and either may be killed: one transaction has it all.
function migrate(connection: DatabaseSync): void {
  const pending = () => pendingStatements('sqlite', appliedMigrations(connection))
  if (pending().length === 0) return
  connection.exec('BEGIN IMMEDIATE')
  // Another process may have migrated it in the meantime.
  for (const statement of pending()) connection.exec(statement)
  connection.exec('COMMIT')
}

function appliedMigrations(connection: DatabaseSync): readonly string[] | undefined {
  const { name, select } = migrationTable
  const table = connection.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name)
  if (table === undefined) return undefined
  const applied = prepare<{ name: string }>(connection, select).all()
  return applied.map((row) => row.name)
}

/** Returns the message of the operating system alone, without the code and the path. */
function systemReasonOf(error: unknown): string | undefined {
  const isSystemError = error instanceof Error && 'syscall' in error && 'errno' in error
  return isSystemError ? getSystemErrorMessage(Number(error.errno)) : undefined
}
