import { resolve } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { reasonOf } from '../../plain-error.ts'
import { type Engine, type Query, sqliteDialect } from '../engine.ts'
import { StoreError } from '../errors.ts'
import { migrationTable, pendingStatements } from '../migrations.ts'
import type { StoreOptions } from '../store.ts'
import { damaged, isBusy, isDamage, toStoreError } from './errors.ts'
import {
  applicationId,
  createIdentityCheck,
  prepareFile,
  rejectDamaged,
  restrictFiles,
} from './file.ts'
import { WriteQueue } from './write-queue.ts'

/** Milliseconds that opening waits for other processes that open the same new file. */
const openTimeout = 5000

/** Milliseconds that a statement blocks the process while another process holds the lock. */
const busyTimeout = 5

/** Opens a database file, or `:memory:`, and applies pending migrations. */
export async function openSqlite(name: string, options: StoreOptions): Promise<Engine> {
  const file = name === ':memory:' ? name : resolve(name)
  const connection = await openFile(file, options)
  const queue = new WriteQueue(connection, createIdentityCheck(file))
  const run = createRun(connection)
  return {
    dialect: sqliteDialect,
    async read(...query) {
      try {
        return run(query)
      } catch (error) {
        throw toStoreError(error)
      }
    },
    write: <Row>(first: Query, ...others: readonly Query[]) =>
      queue.write(() => {
        const rows = run<Row>(first)
        if (rows.length > 0) for (const query of others) run(query)
        return rows
      }),
    ping: () => queue.ping(),
    async close() {
      if (connection.isOpen) connection.close()
    },
  }
}

async function openFile(file: string, options: StoreOptions): Promise<DatabaseSync> {
  // Two processes that switch a new file to WAL lock each other out, whatever the busy timeout.
  for (const deadline = performance.now() + openTimeout; ; await wait(10)) {
    try {
      return tryToOpen(file, options)
    } catch (cause) {
      if (isBusy(cause) && performance.now() < deadline) continue
      if (cause instanceof StoreError) throw cause
      const reason = reasonOf(cause)
      if (isDamage(cause)) throw damaged(file, reason)
      throw new StoreError(`Cannot open the database ${file}: ${reason}.`, { cause })
    }
  }
}

function tryToOpen(file: string, { onRestricted }: StoreOptions): DatabaseSync {
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
  } catch (error) {
    connection.close()
    throw error
  }
  return connection
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
  return (
    table &&
    connection
      .prepare(select)
      .all()
      .map((row) => String(row['name']))
  )
}

/** Returns a function that runs statements, each of which is parsed once. */
function createRun(connection: DatabaseSync) {
  const statements = new Map<string, (values: readonly SQLInputValue[]) => unknown[]>()

  function prepare(sql: string) {
    // A plus keeps SQLite from preparing it again for every value, to look for a better plan.
    const statement = connection.prepare(sql.replaceAll('$', '+?'))
    // The objects of node:sqlite have no prototype: a page of them takes three times as long.
    statement.setReturnArrays(true)
    const names = statement.columns().map(({ name }) => name)
    const toRow = (cells: Readonly<Record<number, unknown>>) => {
      const row: Record<string, unknown> = {}
      for (const [at, name] of names.entries()) row[name] = cells[at]
      return row
    }
    return (values: readonly SQLInputValue[]) => statement.all(...values).map(toRow)
  }

  return <Row>([sql, ...values]: Query): Row[] => {
    const statement = statements.get(sql) ?? prepare(sql)
    statements.set(sql, statement)
    return statement(values) as Row[]
  }
}
