import type { NewPet, Once } from '../pet-store.ts'
import type { AnimalsTable } from '../tables.ts'
import type { Database } from './database.ts'
import { isRowLocked } from './faults.ts'
import type { Run } from './runs.ts'
import { prepare } from './statement.ts'

const table = 'idempotency_keys'

// A key that is known takes no id from the sequence, so that repetitions leave no gaps. One that is
// past its time may be there from before.
const addOnce = `
  WITH claim AS (
    INSERT INTO ${table} (caller_id, key, fingerprint, expires_at, animal_id)
    SELECT $1::text, $2::text, $3::text, $4::bigint,
      nextval(pg_get_serial_sequence('animals', 'id'))
    WHERE NOT EXISTS (
      SELECT 1 FROM ${table} WHERE caller_id = $1 AND key = $2 AND expires_at > $5::bigint
    )
    ON CONFLICT (caller_id, key) DO UPDATE SET
      fingerprint = excluded.fingerprint,
      expires_at = excluded.expires_at,
      animal_id = excluded.animal_id
    WHERE ${table}.expires_at <= $5
    RETURNING animal_id
  )
  INSERT INTO animals (id, name, category_id, status)
  SELECT animal_id, $6::text, $7::bigint, $8::text FROM claim
  RETURNING id`

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
export function prepareAddOnce({ write }: Database) {
  const run: Run = (work) => write((client) => work(client).catch(notToBeRepeated))
  const add = prepare<Pick<AnimalsTable, 'id'>>(run, addOnce)
  return async (animal: NewPet, once: Once, now: number): Promise<Claim> => {
    const { name, categoryId, status } = animal
    const { callerId, key, fingerprint, expiresAt } = once
    const claim = [callerId, key, fingerprint, expiresAt, now]
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
