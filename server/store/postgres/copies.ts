import sql from 'sql-template-tag'
import type { Cell } from '../copy/copied-tables.ts'
import type { CopySql } from '../copy/copy-sql.ts'
import type { CopyStore } from '../copy/copy-store.ts'
import { createCopyStore } from '../copy/create-copy-store.ts'
import type { Database } from './database.ts'
import type { Run } from './statement.ts'

/** Lets a store in PostgreSQL be copied. */
export function createCopies({ read, write }: Database): CopyStore {
  const send = (run: Run, query: CopySql) =>
    run(async (client) => {
      const { text, values } = query
      return (await client.query<Record<string, Cell>>(text, values)).rows
    })
  return createCopyStore({
    read: (query) => send(read, query),
    write: async (query) => void (await send(write, query)),
    async goOnAbove({ name }, number) {
      await send(write, name === 'animals' ? raiseIds(number) : raisePositions(name, number))
    },
  })
}

// Never back, where the sequence is further on.
function raiseIds(number: number): CopySql {
  return sql`SELECT setval(name, greatest(nextval(name), ${number}::bigint + 1), false)
    FROM (SELECT pg_get_serial_sequence('animals', 'id') AS name) AS ids`
}

function raisePositions(table: string, number: number): CopySql {
  return sql`UPDATE positions SET last = greatest(last, ${number}::bigint) WHERE name = ${table}`
}
