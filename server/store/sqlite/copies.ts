import type { SQLInputValue } from 'node:sqlite'
import type { Cell } from '../copy/copied-tables.ts'
import type { CopySql } from '../copy/copy-sql.ts'
import type { CopyStore } from '../copy/copy-store.ts'
import { createCopyStore } from '../copy/create-copy-store.ts'
import type { Database } from './database.ts'
import { guarded } from './errors.ts'
import { prepare } from './statement.ts'
import type { Write } from './write-queue.ts'

/** Lets a store in SQLite be copied. */
export function createCopies({ connection }: Database, write: Write): CopyStore {
  const send = ({ sql, values }: CopySql) =>
    prepare<Readonly<Record<string, Cell>>>(connection, sql).all(...values.map(toInput))
  return createCopyStore({
    read: (query) => guarded(() => send(query)),
    write: async (query) => void (await write(() => send(query))),
    // AUTOINCREMENT does that by itself.
    goOnAbove: async () => undefined,
  })
}

function toInput(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'number' || typeof value === 'string') return value
  if (value instanceof Uint8Array) return value
  throw new TypeError(`SQLite cannot store a ${typeof value}.`)
}
