import { DatabaseSync } from 'node:sqlite'
import type { CopiedRow, CopyConnection } from '../copy-store.ts'

/** Milliseconds that a statement waits for a lock of another process. */
const busyTimeout = 5_000

const batchSize = 1_000

/** Connects to a file, to copy from it or to it. */
export function connectSqlite(file: string, mode: 'read' | 'write'): CopyConnection {
  const connection = new DatabaseSync(file, { timeout: busyTimeout })
  connection.exec(mode === 'read' ? 'BEGIN; SELECT 1 FROM animals LIMIT 1' : 'BEGIN IMMEDIATE')
  return {
    query: async (sql) => connection.prepare(sql).all(),
    async *batches(sql) {
      let rows: CopiedRow[] = []
      for (const row of connection.prepare(sql).iterate()) {
        rows.push(row)
        if (rows.length < batchSize) continue
        yield rows
        rows = []
      }
      if (rows.length > 0) yield rows
    },
    async insert(table, rows) {
      const columns = Object.keys(rows[0] ?? {})
      const values = columns.map(() => '?').join(', ')
      const insert = connection.prepare(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values})`,
      )
      for (const row of rows) insert.run(...columns.map((column) => row[column] ?? null))
    },
    // AUTOINCREMENT does that.
    continueNumbers: async () => undefined,
    [Symbol.asyncDispose]: async () => connection.close(),
  }
}
