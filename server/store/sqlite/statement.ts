import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

/** A statement that is parsed once; values are bound in the order of its parameters. */
export interface Statement<Row> {
  readonly all: (...values: SQLInputValue[]) => Row[]
  readonly get: (...values: SQLInputValue[]) => Row | undefined
  readonly run: (...values: SQLInputValue[]) => void
}

/** Prepares a statement; the compiler cannot know its rows, so the caller names their type. */
export function prepare<Row>(connection: DatabaseSync, sql: string): Statement<Row> {
  const statement = connection.prepare(sql)
  // The objects of node:sqlite have no prototype, and take twice the time to create and to read.
  statement.setReturnArrays(true)
  const names = statement.columns().map(({ name }) => name)
  const toRow = (cells: Readonly<Record<number, unknown>>): Row => {
    const row: Record<string, unknown> = {}
    for (let at = 0; at < names.length; at++) row[names[at] ?? ''] = cells[at]
    return row as Row
  }
  const all = (...values: SQLInputValue[]) => statement.all(...values).map(toRow)
  return {
    all,
    get: (...values) => all(...values)[0],
    run: (...values) => void statement.run(...values),
  }
}
