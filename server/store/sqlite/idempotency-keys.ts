import type { Once } from '../animal-store.ts'
import type { Database } from './database.ts'
import { prepare } from './statement.ts'

/** Keeps which animal was added under which idempotency key; to be called within a transaction. */
export function createIdempotencyKeys({ connection, queries }: Database) {
  const table = 'idempotency_keys'
  const find = prepare(
    connection,
    queries
      .selectFrom(table)
      .select(['fingerprint', 'animal_id'])
      .where('caller_id', '=', '')
      .where('key', '=', '')
      .where('expires_at', '>', 0),
  )
  const forget = prepare(connection, queries.deleteFrom(table).where('expires_at', '<=', 0))
  const row = { caller_id: '', key: '', fingerprint: '', animal_id: 0, expires_at: 0 }
  const keep = prepare(connection, queries.insertInto(table).values(row))
  return {
    find: ({ callerId, key }: Once) => find.get(callerId, key, Date.now()),
    /** Keeps a key, and forgets those that are past their time. */
    keep({ callerId, key, fingerprint, expiresAt }: Once, animalId: number): void {
      forget.run(Date.now())
      keep.run(callerId, key, fingerprint, animalId, expiresAt)
    },
  }
}
