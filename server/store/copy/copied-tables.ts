import type { Tables } from '../tables.ts'

/** What a column may hold. */
export type Cell = string | number | null | Uint8Array

/** A row, with its columns in the order of the table's. */
export type CopiedRow = readonly Cell[]

/** A table whose rows are copied as they are. */
export interface CopiedTable {
  readonly name: keyof Tables
  readonly columns: readonly string[]
  /** How many columns, from the first, tell its rows apart; pages are in their order. */
  readonly keys: number
  /** How many columns, from the first, never change. */
  readonly fixed: number
}

function table<Name extends keyof Tables>(
  name: Name,
  keys: number,
  columns: readonly (keyof Tables[Name] & string)[],
  fixed = keys,
): CopiedTable {
  return { name, keys, columns, fixed }
}

/** An animal stays as it is. */
export const animals = table('animals', 1, ['id', 'name', 'category_id', 'status'], 4)

export const apiKeys = table(
  'api_keys',
  1,
  [
    'position',
    'id',
    'name',
    'plan',
    'per_minute',
    'per_day',
    'prefix',
    'digest',
    'created_at',
    'expires_at',
    'revoked_at',
    'replaced_by',
  ],
  2,
)

const onceColumns = ['caller_id', 'key', 'animal_id', 'fingerprint', 'expires_at'] as const
export const idempotencyKeys = table('idempotency_keys', 2, onceColumns)

/** The id of the animal that a row of the idempotency keys names. */
export function animalOf(row: CopiedRow): number {
  return Number(row[onceColumns.indexOf('animal_id')])
}

const useColumns = ['key_id', 'day', 'requests', 'last_used_at'] as const
export const keyUsage = table('key_usage', 1, useColumns)

const importColumns = ['digest', 'records', 'animals', 'finished_at'] as const
export const imports = table('imports', 1, importColumns)
