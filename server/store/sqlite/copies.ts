import type { CopySql } from '../copy/copy-sql.ts'
import type { CopyStore } from '../copy/copy-store.ts'
import { createCopyStore } from '../copy/create-copy-store.ts'
import type { Database } from './database.ts'
import { toInput } from './dialect.ts'
import { guarded } from './faults.ts'
import { prepare } from './statement.ts'
import type { WriteQueue } from './write-queue.ts'

/** Lets a store in SQLite be copied. */
export function createCopies({ connection, queries }: Database, write: WriteQueue): CopyStore {
  const send = (query: CopySql) => {
    const compiled = query.compile(queries)
    const statement = prepare(connection, { compile: () => compiled })
    return statement.all(...compiled.parameters.map(toInput))
  }
  return createCopyStore({
    read: (query) => guarded(() => send(query)),
    write: async (query) => void (await write(() => send(query))),
    // AUTOINCREMENT does that by itself.
    goOnAbove: async () => undefined,
  })
}
