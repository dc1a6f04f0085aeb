import { Client } from 'pg'
import type { CopiedRow, CopyConnection } from '../copy-store.ts'
import { requestTimeout, toPoolOptions } from './pool.ts'

const batchSize = 1_000

/** Connects to a database, to copy from it or to it. */
export async function connectPostgres(
  url: string,
  mode: 'read' | 'write',
): Promise<CopyConnection> {
  const unlimited = {
    statement_timeout: 0,
    lock_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  }
  const client = new Client({ ...toPoolOptions(url, requestTimeout), ...unlimited })
  // An error without a listener would end the process; the query that runs rejects as well.
  client.on('error', () => undefined)
  await client.connect()
  const query = async (sql: string, values: unknown[] = []) =>
    (await client.query<CopiedRow>(sql, values)).rows
  await query(mode === 'read' ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN')

  return {
    query: (sql) => query(sql),
    async *batches(sql) {
      await query(`DECLARE copied CURSOR FOR ${sql}`)
      for (;;) {
        const rows = await query(`FETCH ${batchSize} FROM copied`)
        if (rows.length === 0) break
        yield rows
      }
      await query('CLOSE copied')
    },
    // The columns get their types from the table.
    insert: async (table, rows) =>
      void (await query(
        `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`,
        [toJson(rows)],
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

function toJson(rows: readonly CopiedRow[]): string {
  const toText = (cell: CopiedRow[string]) =>
    cell instanceof Uint8Array ? `\\x${Buffer.from(cell).toString('hex')}` : cell
  return JSON.stringify(
    rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, toText(cell)])),
    ),
  )
}
