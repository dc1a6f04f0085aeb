import type { KeyRecord } from './key-store.ts'
import { namesOf } from './names-of.ts'
import type { ApiKeysTable } from './tables.ts'

// Stands in for the values while SQL is written.
const anyRecord: KeyRecord = {
  id: '',
  name: undefined,
  plan: '',
  perMinute: 0,
  perDay: 0,
  prefix: '',
  digest: new Uint8Array(),
  createdAt: 0,
  expiresAt: undefined,
  revokedAt: undefined,
  replacedBy: undefined,
}

/** The row of a key; the database gives its position. */
export type KeyRow = Omit<ApiKeysTable, 'position'>

/** A record as the row that keeps it. */
export function toRow(record: KeyRecord) {
  return {
    id: record.id,
    name: record.name ?? null,
    plan: record.plan,
    per_minute: record.perMinute,
    per_day: record.perDay,
    prefix: record.prefix,
    digest: record.digest,
    created_at: record.createdAt,
    expires_at: record.expiresAt ?? null,
    revoked_at: record.revokedAt ?? null,
    replaced_by: record.replacedBy ?? null,
  } satisfies KeyRow
}

/** The columns of a row, in the order of the values of every row. */
export const keyColumns = namesOf(toRow(anyRecord))

/** A row as the record that is kept in it. */
export function toRecord(row: KeyRow): KeyRecord {
  return {
    id: row.id,
    name: row.name ?? undefined,
    plan: row.plan,
    perMinute: row.per_minute,
    perDay: row.per_day,
    prefix: row.prefix,
    digest: row.digest,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    replacedBy: row.replaced_by ?? undefined,
  }
}
