import { StoreError } from './errors.ts'

/** The tables of a store; a row may name rows of the tables before its own. */
const tables = ['animals', 'api_keys', 'key_usage', 'idempotency_keys', 'imports'] as const

/** A row, by the names of its columns. */
export type CopiedRow = Readonly<Record<string, string | number | bigint | null | Uint8Array>>

/** A connection to a database, in a transaction that is rolled back unless it is committed. */
export interface CopyConnection extends AsyncDisposable {
  readonly query: (sql: string) => Promise<readonly CopiedRow[]>
  /** Yields the rows of a SELECT in batches. */
  readonly batches: (sql: string) => AsyncIterable<readonly CopiedRow[]>
  readonly insert: (table: string, rows: readonly CopiedRow[]) => Promise<void>
  /** Lets new rows get numbers above the highest ones. */
  readonly continueNumbers: () => Promise<void>
}

/** Connects to the database that a URL names, and begins to write to it or to read one snapshot of it. */
export async function connectToCopy(url: string, mode: 'read' | 'write'): Promise<CopyConnection> {
  if (url.startsWith('sqlite:')) {
    const { connectSqlite } = await import('./sqlite/copy-connection.ts')
    return connectSqlite(url.slice('sqlite:'.length), mode)
  }
  const { connectPostgres } = await import('./postgres/copy-connection.ts')
  return connectPostgres(url, mode)
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
  for (const table of tables) {
    const all = await countRows(source, liveRows(table, now))
    let rows = 0
    for await (const batch of source.batches(`SELECT * FROM ${liveRows(table, now)}`)) {
      await target.insert(table, batch)
      rows += batch.length
      onCopied({ name: table, rows }, all)
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
