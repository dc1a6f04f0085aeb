import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { StoreError } from './errors.ts'
import { noTimeouts, requestTimeout, toPoolOptions } from './postgres/pool.ts'

/** The tables of a store; a row may name rows of the tables before its own. */
const tables = ['animals', 'api_keys', 'key_usage', 'idempotency_keys', 'imports'] as const

/** Rows that are written, or fetched, at a time. */
const batchSize = 1_000

/** Milliseconds that a statement waits for a lock of another process on SQLite. */
const busyTimeout = 5_000

/** A row, by the names of its columns. */
type CopiedRow = Readonly<Record<string, string | number | bigint | null | Uint8Array>>

/** A connection to a database, in a transaction that is rolled back unless it is committed. */
interface CopyConnection extends AsyncDisposable {
  readonly query: (sql: string) => Promise<readonly CopiedRow[]>
  /** Yields the rows of a SELECT, however many they are. */
  readonly rows: (sql: string) => AsyncIterable<CopiedRow>
  readonly insert: (table: string, rows: readonly CopiedRow[]) => Promise<void>
  /** Lets new rows get numbers above the highest ones. */
  readonly continueNumbers: () => Promise<void>
}

/** Connects to the database that a URL names, and begins to write to it or to read one snapshot of it. */
export async function connectToCopy(url: string, mode: 'read' | 'write'): Promise<CopyConnection> {
  return url.startsWith('sqlite:')
    ? connectSqlite(url.slice('sqlite:'.length), mode)
    : connectPostgres(url, mode)
}

/** A table that was copied, and its number of rows. */
export interface CopiedTable {
  readonly name: string
  readonly rows: number
}

/**
 * Copies all rows of a store to an empty one, and its secret, so that cursors stay valid. All is
 * copied in one transaction, or nothing.
 */
export async function copyStore(
  source: CopyConnection,
  target: CopyConnection,
  onCopied: (copied: CopiedTable, all: number) => void,
): Promise<readonly CopiedTable[]> {
  const now = Date.now()
  for (const table of tables) {
    if ((await countRows(target, table)) === 0) continue
    throw new StoreError('The target holds other data. Name an empty store.')
  }
  await target.query("DELETE FROM secrets WHERE name = 'cursor'")
  await target.insert('secrets', await source.query("SELECT * FROM secrets WHERE name = 'cursor'"))
  for (const name of tables) {
    const all = await countRows(source, liveRows(name, now))
    let [batch, rows]: [CopiedRow[], number] = [[], 0]
    for await (const row of source.rows(`SELECT * FROM ${liveRows(name, now)}`)) {
      rows++
      if (batch.push(row) < batchSize && rows < all) continue
      await target.insert(name, batch)
      onCopied({ name, rows }, all)
      batch = []
    }
  }
  await target.continueNumbers()
  // The source outside of the snapshot: a service that still runs on it may have added rows.
  await source.query('COMMIT')
  const copied = []
  for (const name of tables) {
    const rows = await countRows(target, name)
    const expected = await countRows(source, liveRows(name, now))
    if (rows !== expected) throw differs(name, expected, rows)
    copied.push({ name, rows })
  }
  await target.query('COMMIT')
  return copied
}

// Idempotency keys that have expired are not copied.
function liveRows(table: string, now: number): string {
  if (table !== 'idempotency_keys') return table
  return `${table} WHERE expires_at > ${now}
    AND EXISTS (SELECT 1 FROM animals WHERE animals.id = idempotency_keys.animal_id)`
}

async function countRows({ query }: CopyConnection, from: string): Promise<number> {
  const [row] = await query(`SELECT count(*) AS rows FROM ${from}`)
  return Number(row?.['rows'])
}

function differs(table: string, expected: number, copied: number): StoreError {
  return new StoreError(
    `The source has changed: ${table} has ${expected} rows, and ${copied} were copied. Nothing is ` +
      'in the target. Stop the service on the source, and run the same command again.',
  )
}

function connectSqlite(file: string, mode: 'read' | 'write'): CopyConnection {
  const connection = new DatabaseSync(file, { timeout: busyTimeout })
  connection.exec(mode === 'read' ? 'BEGIN; SELECT 1 FROM animals LIMIT 1' : 'BEGIN IMMEDIATE')
  return {
    query: async (sql) => connection.prepare(sql).all(),
    async *rows(sql) {
      yield* connection.prepare(sql).iterate()
    },
    async insert(table, rows) {
      const columns = Object.keys(rows[0] ?? {})
      const insert = connection.prepare(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      )
      for (const row of rows) insert.run(...Object.values(row))
    },
    // AUTOINCREMENT does that.
    continueNumbers: async () => undefined,
    [Symbol.asyncDispose]: async () => connection.close(),
  }
}

async function connectPostgres(url: string, mode: 'read' | 'write'): Promise<CopyConnection> {
  const client = new Client({ ...toPoolOptions(url, requestTimeout), ...noTimeouts })
  // An error without a listener would end the process; the query that runs rejects as well.
  client.on('error', () => undefined)
  await client.connect()
  const query = async (sql: string, values: string[] = []) =>
    (await client.query<CopiedRow>(sql, values)).rows
  await query(mode === 'read' ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN')

  return {
    query: (sql) => query(sql),
    async *rows(sql) {
      await query(`DECLARE copied CURSOR FOR ${sql}`)
      for (;;) {
        const rows = await query(`FETCH ${batchSize} FROM copied`)
        if (rows.length === 0) break
        yield* rows
      }
      await query('CLOSE copied')
    },
    // The columns get their types from the table.
    insert: async (table, rows) =>
      void (await query(
        `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`,
        [JSON.stringify(rows.map(bytesToText))],
      )),
    async continueNumbers() {
      await query(`SELECT setval(pg_get_serial_sequence('animals', 'id'), max(id)) FROM animals
        HAVING max(id) IS NOT NULL`)
      await query(`UPDATE positions SET last = (SELECT coalesce(max(position), 0) FROM api_keys)
        WHERE name = 'api_keys'`)
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}

function bytesToText(row: CopiedRow) {
  const cells = Object.entries(row).map(([name, cell]) => [
    name,
    cell instanceof Uint8Array ? `\\x${Buffer.from(cell).toString('hex')}` : cell,
  ])
  return Object.fromEntries(cells)
}
