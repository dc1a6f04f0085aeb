import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { SqliteDialect } from 'kysely'

/** Lets Kysely drive `node:sqlite`, whose statements do not say whether they return rows. */
export function createDialect(database: DatabaseSync): SqliteDialect {
  return new SqliteDialect({
    database: {
      close: () => database.close(),
      prepare(sql) {
        const statement = database.prepare(sql)
        return {
          reader: statement.columns().length > 0,
          all: (parameters) => statement.all(...parameters.map(toInput)),
          run: (parameters) => statement.run(...parameters.map(toInput)),
          iterate: (parameters) => statement.iterate(...parameters.map(toInput)),
        }
      },
    },
  })
}

/** A parameter of Kysely's as SQLite takes it. */
export function toInput(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'number' || typeof value === 'bigint') return value
  if (typeof value === 'string' || value instanceof Uint8Array) return value
  throw new TypeError(`SQLite cannot store a ${typeof value}.`)
}
