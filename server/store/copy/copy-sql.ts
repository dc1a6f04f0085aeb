import sql, { join, raw, type Sql } from 'sql-template-tag'
import { type Cell, type CopiedRow, type CopiedTable, expiryOf } from './copied-tables.ts'

/** SQL that every engine of ours understands, for tables that are copied. */
export type CopySql = Sql

/** Rows that are read or written at a time; their cells stay below the 32,766 that SQLite takes. */
export const pageSize = 1_000

export function selectPage(table: CopiedTable, after: CopiedRow | undefined, now: number): CopySql {
  const order = join(table.order.map((name) => raw(name)))
  const from = after === undefined ? sql`true` : sql`(${order}) > (${placeOf(table, after)})`
  return sql`SELECT ${columnsOf(table)} FROM ${raw(table.name)}
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
  return sql`SELECT ${columnsOf(table)} FROM ${raw(table.name)}
    WHERE ${key} > ${after} AND ${key} <= ${upTo} ORDER BY ${key}`
}

export function selectLike(table: CopiedTable, rows: readonly CopiedRow[]): CopySql {
  const tuples = rows.map((row) => sql`(${join(keyOf(table, row))})`)
  return sql`SELECT ${columnsOf(table)} FROM ${raw(table.name)}
    WHERE (${keysOf(table)}) IN (VALUES ${join(tuples)})`
}

export function insertRows(table: CopiedTable, rows: readonly CopiedRow[]): CopySql {
  const others = table.columns.slice(table.keys)
  const changes = others.map((name) => sql`${raw(name)} = excluded.${raw(name)}`)
  const tuples = rows.map((row) => sql`(${join(row)})`)
  return sql`INSERT INTO ${raw(table.name)} (${columnsOf(table)}) VALUES ${join(tuples)}
    ON CONFLICT (${keysOf(table)}) DO UPDATE SET ${join(changes)}`
}

export function selectLast(table: CopiedTable): CopySql {
  return sql`SELECT max(${keysOf(table)}) AS last FROM ${raw(table.name)}`
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
  return join(columns.map((name) => raw(name)))
}

function keysOf({ columns, keys }: CopiedTable) {
  return join(columns.slice(0, keys).map((name) => raw(name)))
}

function keyOf({ keys }: CopiedTable, row: CopiedRow) {
  return row.slice(0, keys).map(toValue)
}

function placeOf({ columns, order }: CopiedTable, row: CopiedRow) {
  return join(order.map((name) => toValue(row[columns.indexOf(name)] ?? null)))
}

// Numbers are written out: PostgreSQL takes parameters in a list of values for text.
function toValue(cell: Cell) {
  return typeof cell === 'number' ? raw(String(cell)) : sql`${cell}`
}
