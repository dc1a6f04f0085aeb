import { sql } from 'kysely'
import type { Cell } from '../copy/copied-tables.ts'
import type { CopySql } from '../copy/copy-sql.ts'
import type { CopyStore } from '../copy/copy-store.ts'
import { createCopyStore } from '../copy/create-copy-store.ts'
import type { Database } from './database.ts'
import type { Run } from './runs.ts'

/** Lets a store in PostgreSQL be copied. */
export function createCopies({ read, write, queries }: Database): CopyStore {
  const send = (run: Run, query: CopySql) =>
    run(async (client) => {
      const { sql: text, parameters } = query.compile(queries)
      return (await client.query<Record<string, Cell>>(text, [...parameters])).rows
    })
  return createCopyStore({
    read: (query) => send(read, query),
    write: async (query) => void (await send(write, query)),
    async goOnAbove() {
      await send(write, raiseIds)
      await send(write, raisePositions)
    },
  })
}

// Never back, where the sequence is further on.
const raiseIds: CopySql = sql`
  SELECT setval(name, greatest(nextval(name), last + 1), false)
  FROM (SELECT max(id) AS last, pg_get_serial_sequence('animals', 'id') AS name FROM animals) AS ids
  WHERE last IS NOT NULL`

const raisePositions: CopySql = sql`
  UPDATE positions SET last = greatest(last, (SELECT coalesce(max(position), 0) FROM api_keys))
  WHERE name = 'api_keys'`
