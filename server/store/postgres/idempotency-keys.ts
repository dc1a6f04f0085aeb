import { animalColumns } from '../pet-row.ts'
import type { Once } from '../pet-store.ts'
import type { AnimalsTable, IdempotencyKeysTable } from '../tables.ts'
import type { Database } from './database.ts'
import { prepare } from './statement.ts'

/** Keys that are forgotten at a time. */
const mostForgotten = 1_000

/** Milliseconds between two looks for keys that are past their time, at least. */
const pause = 1_000

/** What is kept under a key, with the animal where that is still there. */
type Kept = Pick<IdempotencyKeysTable, 'fingerprint'> & {
  readonly [Column in keyof AnimalsTable]: AnimalsTable[Column] | null
}

const animal = animalColumns.map((column) => `animals.${column}`).join(', ')
const selectKey = `
  SELECT once.fingerprint, ${animal}
  FROM idempotency_keys AS once LEFT JOIN animals ON animals.id = once.animal_id
  WHERE once.caller_id = $1 AND once.key = $2 AND once.expires_at > $3`

// What another instance is forgetting is left to it.
const deleteExpired = `
  DELETE FROM idempotency_keys WHERE (caller_id, key) IN (
    SELECT caller_id, key FROM idempotency_keys WHERE expires_at <= $1
    ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED
  )`

/** Finds what was added under which idempotency key, and forgets keys that are past their time. */
export function createIdempotencyKeys({ read, write }: Database) {
  const find = prepare<Kept>(read, selectKey)
  const forget = prepare(write, deleteExpired)
  let forgottenAt = Number.NEGATIVE_INFINITY
  return {
    find: async ({ callerId, key }: Once, now: number) => (await find(callerId, key, now))[0],
    /** Forgets some keys, once in a while; nobody waits for it. */
    forgetSome(now: number): void {
      if (performance.now() < forgottenAt + pause) return
      forgottenAt = performance.now()
      // What is not forgotten now is forgotten later; that the database is away shows elsewhere.
      forget(now, mostForgotten).catch(() => undefined)
    },
  }
}
