import { type Kysely, type QueryCreator, sql } from 'kysely'
import type { NewAnimal, Once } from '../animal-store.ts'
import type { Tables } from '../tables.ts'
import type { Database } from './database.ts'
import { isRowLocked } from './faults.ts'
import type { Run } from './runs.ts'
import { prepare } from './statement.ts'

const table = 'idempotency_keys'

/** What came of an animal that was to be added under an idempotency key. */
export type Claim =
  | { readonly kind: 'added'; readonly id: number }
  /** The key was used before. */
  | { readonly kind: 'used' }
  /** Another instance is using the key. */
  | { readonly kind: 'in-progress' }

/**
 * Prepares the statement that claims an idempotency key and adds an animal under it: both or
 * neither, in one round trip, with no transaction left open whatever happens to the connection.
 */
export function prepareAddOnce({ write, queries }: Database) {
  const run: Run = (work) => write((client) => work(client).catch(notToBeRepeated))
  const add = prepare(run, addOnce(queries))
  return async (animal: NewAnimal, once: Once, now: number): Promise<Claim> => {
    const { name, categoryId, status } = animal
    const { callerId, key, fingerprint, expiresAt } = once
    const claim = [callerId, key, fingerprint, expiresAt, callerId, key, now, now]
    try {
      const [row] = await add(...claim, name, categoryId, status ?? null)
      return row === undefined ? { kind: 'used' } : { kind: 'added', id: row.id }
    } catch (error) {
      if (error instanceof KeyInUse) return { kind: 'in-progress' }
      throw error
    }
  }
}

class KeyInUse extends Error {}

// Waiting again for another instance would take longer than its caller wants to know.
function notToBeRepeated(error: unknown): never {
  throw isRowLocked(error, table) ? new KeyInUse('It is in use.', { cause: error }) : error
}

function addOnce(queries: Kysely<Tables>) {
  return queries.with('claim', claimKey).with('added', addClaimed).selectFrom('added').select('id')
}

// Gives the id for the animal, or no row where the key is taken.
function claimKey(queries: QueryCreator<Tables>) {
  const columns = ['caller_id', 'key', 'fingerprint', 'expires_at'] as const
  return (
    queries
      .insertInto(table)
      .columns([...columns, 'animal_id'])
      .expression(newKey(queries))
      // The key may be there from before, past its time.
      .onConflict((conflict) =>
        conflict
          .columns(['caller_id', 'key'])
          .doUpdateSet(({ ref }) => ({
            fingerprint: ref('excluded.fingerprint'),
            expires_at: ref('excluded.expires_at'),
            animal_id: ref('excluded.animal_id'),
          }))
          .where(`${table}.expires_at`, '<=', 0),
      )
      .returning('animal_id')
  )
}

// A key that is known takes no id from the sequence, so that repetitions leave no gaps.
function newKey(queries: QueryCreator<Tables>) {
  const known = queries
    .selectFrom(`${table} as known`)
    .select('known.key')
    .where('known.caller_id', '=', '')
    .where('known.key', '=', '')
    .where('known.expires_at', '>', 0)
  return queries
    .selectNoFrom([
      sql<string>`${''}::text`.as('caller_id'),
      sql<string>`${''}::text`.as('key'),
      sql<string>`${''}::text`.as('fingerprint'),
      sql<number>`${0}::bigint`.as('expires_at'),
      sql<number>`nextval(pg_get_serial_sequence('animals', 'id'))`.as('animal_id'),
    ])
    .where(({ not, exists }) => not(exists(known)))
}

function addClaimed(queries: QueryCreator<Tables & { claim: { animal_id: number } }>) {
  const values = queries
    .selectFrom('claim')
    .select([
      'animal_id',
      sql<string>`${''}::text`.as('name'),
      sql<number>`${0}::bigint`.as('category_id'),
      sql<string>`${''}::text`.as('status'),
    ])
  return queries
    .insertInto('animals')
    .columns(['id', 'name', 'category_id', 'status'])
    .expression(values)
    .returning('id')
}
