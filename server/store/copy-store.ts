import type { Engine } from './engine.ts'
import { StoreError } from './errors.ts'
import { keyTable } from './migrations.ts'
import type { Row, Schema, Table } from './schema.ts'

/** The tables of the platform. */
const platformTables: readonly Table[] = [
  { name: 'api_keys', start: { position: 0 } },
  { name: 'key_usage', start: { key_id: '' } },
  { name: 'operation_usage', start: { day: 0, key_id: '', operation_id: '' } },
  { name: keyTable, start: { caller_id: '', key: '' } },
]

/** Rows that are read at a time. */
const batchSize = 1_000

/**
 * Parameters of one statement, which is at least one row: no table has 5,000 columns. SQLite allows 32,766
 * and prepares so many in seconds; PostgreSQL allows 65,535.
 */
const maxParameters = 5_000

/**
 * Copies all rows of a store to an empty one, and at the end its secret, so that cursors stay valid.
 * No service starts on a target without a secret, and what a stopped copy has left is deleted first.
 * Returns the numbers of rows. `onCopied` is called with the numbers that were copied so far.
 */
export async function copyStore(
  source: Engine,
  target: Engine,
  schema: Schema,
  onCopied: (table: string, rows: number) => void,
) {
  const tables = [...schema.tables, ...platformTables]
  const secrets = await source.read<Row>('SELECT * FROM secrets')
  if (secrets.length === 0) {
    throw new StoreError('The source is a copy that was stopped.')
  }
  const isIncomplete = (await target.read('SELECT 1 FROM secrets')).length === 0
  for (const table of tables.toReversed()) {
    if (isIncomplete) {
      await target.write([`DELETE FROM ${table.name}`])
    } else if ((await countRows(target, table)) > 0) {
      throw new StoreError('The target holds other data, or a complete copy. Name an empty store.')
    }
  }
  await target.write(['DELETE FROM secrets'])
  for (const table of tables) {
    await copyTable(source, target, table, onCopied)
  }
  const copied = []
  for (const table of tables) {
    const rows = await countRows(target, table)
    const expected = await countRows(source, table)
    if (rows !== expected) {
      throw new StoreError(
        `The source has changed: ${table.name} has ${expected} rows, and ${rows} were copied. ` +
          'Stop the service on the source, and run the same command again.',
      )
    }
    copied.push({ name: table.name, rows })
  }
  if (target.dialect.engine === 'postgresql') {
    await continueNumbers(target, tables)
  }
  await insert(target, 'secrets', secrets)
  return copied
}

async function copyTable(
  source: Engine,
  target: Engine,
  { name, start }: Table,
  onCopied: (table: string, rows: number) => void,
): Promise<void> {
  const key = Object.keys(start)
  const parameters = key.map((_, index) => `$${index + 1}`)
  const sql = `SELECT * FROM ${name} WHERE (${key.join()}) > (${parameters.join()})
    ORDER BY ${key.join()} LIMIT ${batchSize}`
  const keyOf = (row: Row) => key.map((column) => row[column] ?? null)

  let copied = 0
  let after = keyOf(start)
  while (true) {
    const rows = await source.read<Row>(sql, ...after)
    const last = rows.at(-1)
    if (last === undefined) {
      return
    }

    await insert(target, name, rows)
    copied += rows.length
    onCopied(name, copied)
    after = keyOf(last)
  }
}

/** Lets new rows get numbers above those of copied rows, which AUTOINCREMENT of SQLite does by itself. */
async function continueNumbers({ write }: Engine, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables.filter(({ start }) => 'id' in start)) {
    const sequence = `pg_get_serial_sequence('${name}', 'id')`
    await write([`SELECT setval(${sequence}, max(id)) FROM ${name} HAVING count(*) > 0`])
  }
  const last = 'SELECT coalesce(max(position), 0) FROM api_keys'
  await write([`UPDATE positions SET last = (${last}) WHERE name = 'api_keys'`])
}

/** Adds rows to a table, with as many statements as their columns need. */
async function insert(target: Engine, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const rowsAtOnce = Math.floor(maxParameters / columns.length)
  const writes: Promise<unknown>[] = []
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    const some = rows.slice(start, start + rowsAtOnce)
    const values = some.flatMap((row) => Object.values(row))
    writes.push(target.write([insertStatement(table, columns, some.length), ...values]))
  }
  // At once: SQLite writes them with one commit.
  await Promise.all(writes)
}

function insertStatement(table: string, columns: readonly string[], rowCount: number): string {
  const rows = Array.from({ length: rowCount }, (_, row) => {
    const parameters = columns.map((_, column) => `$${row * columns.length + column + 1}`)
    return `(${parameters.join()})`
  })
  return `INSERT INTO ${table} (${columns.join()}) VALUES ${rows.join()}`
}

async function countRows({ read }: Engine, { name }: Table): Promise<number> {
  const sql = `SELECT count(*) AS rows FROM ${name}`
  return (await read<{ rows: number }>(sql))[0]?.rows ?? 0
}
