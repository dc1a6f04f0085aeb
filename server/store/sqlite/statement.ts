import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Compilable } from 'kysely'

/** A statement that is parsed once; values are bound in the order in which its SQL asks for them. */
export interface Statement<Row> {
  readonly all: (...values: SQLInputValue[]) => Row[]
  readonly get: (...values: SQLInputValue[]) => Row | undefined
  readonly run: (...values: SQLInputValue[]) => void
}

/**
 * Prepares a query that Kysely wrote. Building a query costs ten times what running it does, so it
 * is built once, with any value in the place of each parameter.
 */
export function prepare<Row>(connection: DatabaseSync, query: Compilable<Row>): Statement<Row> {
  const statement = connection.prepare(query.compile().sql)
  // The compiler checked the query against the tables, and the migrations made those.
  const all = (...values: SQLInputValue[]) => statement.all(...values) as Row[]
  return {
    all,
    get: (...values) => all(...values)[0],
    run: (...values) => void statement.run(...values),
  }
}
