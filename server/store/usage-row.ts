import type { KeyUsageTable } from './tables.ts'
import type { KeyUse } from './usage-store.ts'

/** The requests of a row that uses are added to: a day that is over is replaced by the next. */
export const addedRequests = `CASE
  WHEN excluded.day = key_usage.day THEN key_usage.requests + excluded.requests
  WHEN excluded.day > key_usage.day THEN excluded.requests
  ELSE key_usage.requests END`

/** A row as the use that is kept in it. */
export function toKeyUse(row: KeyUsageTable): KeyUse {
  const { key_id: keyId, day, requests, last_used_at: lastUsedAt } = row
  return { keyId, day, requests, lastUsedAt }
}
