import type { Kysely } from 'kysely'
import { animalColumns } from '../animal-row.ts'
import type { Once } from '../animal-store.ts'
import type { Tables } from '../tables.ts'
import type { Database } from './database.ts'
import { prepare } from './statement.ts'

const table = 'idempotency_keys'

/** Keys that are forgotten at a time. */
const mostForgotten = 1_000

/** Milliseconds between two looks for keys that are past their time, at least. */
const pause = 1_000

/** Finds what was added under which idempotency key, and forgets keys that are past their time. */
export function createIdempotencyKeys({ read, write, queries }: Database) {
  const find = prepare(read, selectKey(queries))
  const forget = prepare(write, deleteExpired(queries))
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

// With the animal, where that is still there.
function selectKey(queries: Kysely<Tables>) {
  return queries
    .selectFrom(`${table} as once`)
    .leftJoin('animals', 'animals.id', 'once.animal_id')
    .select('once.fingerprint')
    .select(animalColumns.map((column) => `animals.${column}` as const))
    .where('once.caller_id', '=', '')
    .where('once.key', '=', '')
    .where('once.expires_at', '>', 0)
}

// What another instance is forgetting is left to it.
function deleteExpired(queries: Kysely<Tables>) {
  const expired = queries
    .selectFrom(table)
    .select(['caller_id', 'key'])
    .where('expires_at', '<=', 0)
    .orderBy('expires_at')
    .limit(mostForgotten)
    .forUpdate()
    .skipLocked()
  return queries
    .deleteFrom(table)
    .where(({ eb, refTuple }) =>
      eb(refTuple('caller_id', 'key'), 'in', expired.$asTuple('caller_id', 'key')),
    )
}
