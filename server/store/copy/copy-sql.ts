import { type RawBuilder, sql } from 'kysely'
import { type Cell, type CopiedRow, type CopiedTable, expiryOf } from './copied-tables.ts'

/** SQL that every engine of ours understands, for tables that are copied. */
export type CopySql = RawBuilder<Readonly<Record<string, Cell>>>

/** Rows that are read or written at a time; their cells stay below the 32,766 that SQLite takes. */
export const pageSize = 1_000

export function selectPage(table: CopiedTable, after: CopiedRow | undefined, now: number): CopySql {
  const order = sql.join(table.order.map((name) => sql.ref(name)))
  const from = after === undefined ? sql`true` : sql`(${order}) > (${placeOf(table, after)})`
  return sql`SELECT ${columnsOf(table)} FROM ${sql.table(table.name)}
    WHERE ${from} AND ${stillOf(table, after, now)} ORDER BY ${order} LIMIT ${pageSize}`
}

// What is past its time is not copied, nor what was kept for an animal that is not there any more.
function stillOf(table: CopiedTable, after: CopiedRow | undefined, now: number) {
  if (table.name !== 'idempotency_keys') return sql`true`
  // The bound is where the index is entered: a comparison of rows alone may not do that.
  const from = Math.max(now + 1, after === undefined ? 0 : expiryOf(after))
  return sql`expires_at >= ${from}
    AND EXISTS (SELECT 1 FROM animals WHERE animals.id = idempotency_keys.animal_id)`
}

export function selectBetween(table: CopiedTable, after: number, upTo: number): CopySql {
  const key = keysOf(table)
  return sql`SELECT ${columnsOf(table)} FROM ${sql.table(table.name)}
    WHERE ${key} > ${after} AND ${key} <= ${upTo} ORDER BY ${key}`
}

export function selectLike(table: CopiedTable, rows: readonly CopiedRow[]): CopySql {
  const tuples = rows.map((row) => sql`(${sql.join(keyOf(table, row))})`)
  return sql`SELECT ${columnsOf(table)} FROM ${sql.table(table.name)}
    WHERE (${keysOf(table)}) IN (VALUES ${sql.join(tuples)})`
}

export function insertRows(table: CopiedTable, rows: readonly CopiedRow[]): CopySql {
  const others = table.columns.slice(table.keys)
  const changes = others.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`)
  const tuples = rows.map((row) => sql`(${sql.join(row)})`)
  return sql`INSERT INTO ${sql.table(table.name)} (${columnsOf(table)}) VALUES ${sql.join(tuples)}
    ON CONFLICT (${keysOf(table)}) DO UPDATE SET ${sql.join(changes)}`
}

export function selectLast(table: CopiedTable): CopySql {
  return sql`SELECT max(${keysOf(table)}) AS last FROM ${sql.table(table.name)}`
}

const secretNames = { cursor: 'cursor', origin: 'copied from' }

export function selectOrigin(): CopySql {
  return sql`SELECT value FROM secrets WHERE name = ${secretNames.origin}`
}

/** Both in one statement, so that nothing is the copy of a store without having its secret. */
export function adoptSecret(origin: Uint8Array, secret: Uint8Array): CopySql {
  return sql`INSERT INTO secrets (name, value)
    VALUES (${secretNames.cursor}, ${secret}), (${secretNames.origin}, ${origin})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`
}

function columnsOf({ columns }: CopiedTable) {
  return sql.join(columns.map((name) => sql.ref(name)))
}

function keysOf({ columns, keys }: CopiedTable) {
  return sql.join(columns.slice(0, keys).map((name) => sql.ref(name)))
}

function keyOf({ keys }: CopiedTable, row: CopiedRow) {
  return row.slice(0, keys).map(toValue)
}

function placeOf({ columns, order }: CopiedTable, row: CopiedRow) {
  return sql.join(order.map((name) => toValue(row[columns.indexOf(name)] ?? null)))
}

// Numbers are written out: PostgreSQL takes parameters in a list of values for text.
function toValue(cell: Cell) {
  return typeof cell === 'number' ? sql.lit(cell) : sql`${cell}`
}
