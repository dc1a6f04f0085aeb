import type { Once } from '../pet-store.ts'
import type { IdempotencyKeysTable } from '../tables.ts'
import type { Database } from './database.ts'
import { prepare } from './statement.ts'

/** Keys that are forgotten with each one that is kept: more than come in, too few to be felt. */
const mostForgotten = 100

/** Keeps which animal was added under which idempotency key; to be called within a transaction. */
export function createIdempotencyKeys({ connection }: Database) {
  // A plus keeps SQLite from preparing them anew for every value, to look for a better plan.
  const find = prepare<Pick<IdempotencyKeysTable, 'fingerprint' | 'animal_id'>>(
    connection,
    `SELECT fingerprint, animal_id FROM idempotency_keys
      WHERE caller_id = ? AND key = ? AND expires_at > +?`,
  )
  const forget = prepare(
    connection,
    `DELETE FROM idempotency_keys WHERE (caller_id, key) IN (
      SELECT caller_id, key FROM idempotency_keys WHERE expires_at <= +? LIMIT +?
    )`,
  )
  // The key may be there from before, past its time.
  const keep = prepare(
    connection,
    `REPLACE INTO idempotency_keys (caller_id, key, fingerprint, animal_id, expires_at)
      VALUES (?, ?, ?, ?, ?)`,
  )
  return {
    find: ({ callerId, key }: Once) => find.get(callerId, key, Date.now()),
    /** Keeps a key, and forgets some of those that are past their time. */
    keep({ callerId, key, fingerprint, expiresAt }: Once, animalId: number): void {
      forget.run(Date.now(), mostForgotten)
      keep.run(callerId, key, fingerprint, animalId, expiresAt)
    },
  }
}
