import type { Tables } from '../tables.ts'

/** What a column may hold. */
export type Cell = string | number | null | Uint8Array

/** A row, with its columns in the order of the table's. */
export type CopiedRow = readonly Cell[]

/** A table whose rows are copied as they are. */
export interface CopiedTable {
  readonly name: keyof Tables
  readonly columns: readonly string[]
  /** How many columns, from the first, tell its rows apart. */
  readonly keys: number
  /** The columns in whose order pages are. */
  readonly order: readonly string[]
  /** How many columns, from the first, never change. */
  readonly fixed: number
}

// Every column of the table, in the order in which they are copied: one that is added fails here.
function table<Name extends keyof Tables>(
  name: Name,
  keys: number,
  columns: Readonly<Record<keyof Tables[Name], true>>,
  fixed = keys,
): CopiedTable {
  const names = Object.keys(columns)
  return { name, keys, order: names.slice(0, keys), columns: names, fixed }
}

/** An animal stays as it is. */
export const animals = table(
  'animals',
  1,
  { id: true, name: true, category_id: true, status: true },
  4,
)

export const apiKeys = table(
  'api_keys',
  1,
  {
    position: true,
    id: true,
    name: true,
    plan: true,
    per_minute: true,
    per_day: true,
    prefix: true,
    digest: true,
    created_at: true,
    expires_at: true,
    revoked_at: true,
    replaced_by: true,
  },
  2,
)

const onceColumns = {
  caller_id: true,
  key: true,
  animal_id: true,
  fingerprint: true,
  expires_at: true,
} as const
/** Read in the order of an index, so that what is past its time is not walked over. */
export const idempotencyKeys: CopiedTable = {
  ...table('idempotency_keys', 2, onceColumns),
  order: ['expires_at', 'caller_id', 'key'],
}

/** The id of the animal that a row of the idempotency keys names. */
export function animalOf(row: CopiedRow): number {
  return Number(row[idempotencyKeys.columns.indexOf('animal_id')])
}

/** Until when a row of the idempotency keys counts, in milliseconds since 1970. */
export function expiryOf(row: CopiedRow): number {
  return Number(row[idempotencyKeys.columns.indexOf('expires_at')])
}

/** Whether a row is one of an idempotency key that is past its time. */
export function isOver({ name }: CopiedTable, row: CopiedRow, now: number): boolean {
  return name === idempotencyKeys.name && expiryOf(row) <= now
}

const useColumns = { key_id: true, day: true, requests: true, last_used_at: true } as const
export const keyUsage = table('key_usage', 1, useColumns)

const importColumns = { digest: true, records: true, animals: true, finished_at: true } as const
export const imports = table('imports', 1, importColumns)
