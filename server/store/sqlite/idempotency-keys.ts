import type { Once } from '../animal-store.ts'
import type { Database } from './database.ts'
import { prepare } from './statement.ts'

/** Keys that are forgotten with each one that is kept: more than come in, too few to be felt. */
const mostForgotten = 100

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
  const expired = queries
    .selectFrom(table)
    .select(['caller_id', 'key'])
    .where('expires_at', '<=', 0)
    .limit(mostForgotten)
  const forget = prepare(
    connection,
    queries
      .deleteFrom(table)
      .where(({ eb, refTuple }) =>
        eb(refTuple('caller_id', 'key'), 'in', expired.$asTuple('caller_id', 'key')),
      ),
  )
  const row = { caller_id: '', key: '', fingerprint: '', animal_id: 0, expires_at: 0 }
  // The key may be there from before, past its time.
  const keep = prepare(connection, queries.replaceInto(table).values(row))
  return {
    find: ({ callerId, key }: Once) => find.get(callerId, key, Date.now()),
    /** Keeps a key, and forgets some of those that are past their time. */
    keep({ callerId, key, fingerprint, expiresAt }: Once, animalId: number): void {
      forget.run(Date.now(), mostForgotten)
      keep.run(callerId, key, fingerprint, animalId, expiresAt)
    },
  }
}
