import type { Pet } from './pet-store.ts'

export interface AnimalsTable {
  id: number
  name: string
  category_id: number
  status: NonNullable<Pet['status']> | null
}

export interface IdempotencyKeysTable {
  caller_id: string
  key: string
  fingerprint: string
  animal_id: number
  expires_at: number
}

export interface ApiKeysTable {
  position: number
  id: string
  name: string | null
  plan: string
  per_minute: number
  per_day: number
  prefix: string
  digest: Uint8Array
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  replaced_by: string | null
}

export interface KeyUsageTable {
  key_id: string
  day: number
  requests: number
  last_used_at: number
}

export interface SecretsTable {
  name: string
  value: Uint8Array
}

export interface ImportsTable {
  digest: string
  records: number
  animals: number
  finished_at: number | null
}

export interface Tables {
  animals: AnimalsTable
  idempotency_keys: IdempotencyKeysTable
  api_keys: ApiKeysTable
  key_usage: KeyUsageTable
  secrets: SecretsTable
  imports: ImportsTable
}

/** Returns the keys of an object with their type. */
export function namesOf<Table extends object>(table: Table): (keyof Table & string)[] {
  return Object.keys(table).filter((name): name is keyof Table & string => name in table)
}
