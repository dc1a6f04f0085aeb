import { createOnceQueue } from '../idempotency.ts'
import {
  type Addition,
  type NewPet,
  type Once,
  type PetStore,
  selectPets,
  toPet,
  withId,
} from '../pet-store.ts'
import type { AnimalsTable, IdempotencyKeysTable } from '../tables.ts'
import type { Database } from './database.ts'
import { isRowLocked } from './errors.ts'
import { prepare, prepareOn } from './statement.ts'

/** Expired idempotency keys that are deleted at a time, and the least milliseconds in between. */
const [mostDeleted, deletionPause] = [1_000, 1_000]

/** Stores pets in PostgreSQL. */
export function createPetStore(database: Database): PetStore {
  const statements = prepareStatements(database)
  const afterOthers = createOnceQueue()
  let deletedAt = Number.NEGATIVE_INFINITY

  async function addOnce(pet: NewPet, once: Once): Promise<Addition> {
    const { callerId, key, fingerprint, expiresAt } = once
    const now = Date.now()
    const rows = await database.write((client) =>
      statements
        .insertOnce(client, callerId, key, fingerprint, expiresAt, now, ...valuesOf(pet))
        .catch((error: unknown) => {
          if (isRowLocked(error, 'idempotency_keys')) return 'locked' as const
          throw error
        }),
    )
    // Another instance is using the key.
    if (rows === 'locked') return { kind: 'in-progress' }
    if (rows[0] !== undefined) {
      deleteExpiredKeys(now)
      return { kind: 'added', pet: withId(rows[0].id, pet) }
    }
    const [earlier] = await statements.findKey(callerId, key, now)
    // It expired in between.
    if (earlier === undefined) return addOnce(pet, once)
    const [row] = await statements.find(earlier.animal_id)
    if (row === undefined || earlier.fingerprint !== fingerprint) return { kind: 'reused' }
    return { kind: 'repeated', pet: toPet(row) }
  }

  // No request waits for it, and what it does not delete is deleted later.
  function deleteExpiredKeys(now: number): void {
    if (performance.now() < deletedAt + deletionPause) return
    deletedAt = performance.now()
    statements.deleteExpiredKeys(now, mostDeleted).catch(() => undefined)
  }

  return {
    async add(pet, once) {
      if (once !== undefined) return afterOthers(once, () => addOnce(pet, once))
      const [row] = await statements.insert(...valuesOf(pet))
      if (row === undefined) throw new Error('The insert returned no id.')
      return { kind: 'added', pet: withId(row.id, pet) }
    },
    find: async (id) => (await statements.find(id)).map(toPet)[0],
    async page({ after, limit, status }) {
      const rows =
        status === undefined
          ? await statements.page(after, limit)
          : await statements.pageWithStatus(status, after, limit)
      return rows.map(toPet)
    },
    lastId: async () => (await statements.last())[0]?.id ?? 0,
  }
}

function valuesOf({ name, categoryId, status }: NewPet) {
  return [name, categoryId, status ?? null] as const
}

function prepareStatements({ read, write }: Database) {
  const prepareSelect = (rest: string) => prepare<AnimalsTable>(read, `${selectPets} ${rest}`)
  return {
    find: prepareSelect('WHERE id = $1'),
    page: prepareSelect('WHERE id > $1 ORDER BY id LIMIT $2'),
    // With `status = $1 ORDER BY id` the planner may read all pets by id and skip other statuses: a
    // rare status would cost the whole table. In the order of status and id there is one way only,
    // from a position in that index to the end of the status.
    pageWithStatus: prepareSelect(
      'WHERE (status, id) > ($1, $2) AND status <= $1 ORDER BY status, id LIMIT $3',
    ),
    last: prepareSelect('ORDER BY id DESC LIMIT 1'),
    insert: prepare<Pick<AnimalsTable, 'id'>>(
      write,
      'INSERT INTO animals (name, category_id, status) VALUES ($1, $2, $3) RETURNING id',
    ),
    insertOnce: prepareOn<Pick<AnimalsTable, 'id'>>(insertOnce),
    findKey: prepare<Pick<IdempotencyKeysTable, 'fingerprint' | 'animal_id'>>(
      read,
      `SELECT fingerprint, animal_id FROM idempotency_keys
        WHERE caller_id = $1 AND key = $2 AND expires_at > $3`,
    ),
    // Keys that another instance is deleting are left to it.
    deleteExpiredKeys: prepare(
      write,
      `DELETE FROM idempotency_keys WHERE (caller_id, key) IN (
        SELECT caller_id, key FROM idempotency_keys WHERE expires_at <= $1
        ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED
      )`,
    ),
  }
}

// Claims an idempotency key and adds a pet with it: both or neither, in one round trip, with no open
// transaction whatever happens to the connection. It returns no row if the key was used before. Then
// it takes no id from the sequence, so that repetitions leave no gaps; the key may still be there
// although it has expired.
const insertOnce = `
  WITH claim AS (
    INSERT INTO idempotency_keys (caller_id, key, fingerprint, expires_at, animal_id)
    SELECT $1::text, $2::text, $3::text, $4::bigint,
      nextval(pg_get_serial_sequence('animals', 'id'))
    WHERE NOT EXISTS (
      SELECT 1 FROM idempotency_keys
      WHERE caller_id = $1 AND key = $2 AND expires_at > $5::bigint
    )
    ON CONFLICT (caller_id, key) DO UPDATE SET
      fingerprint = excluded.fingerprint,
      expires_at = excluded.expires_at,
      animal_id = excluded.animal_id
    WHERE idempotency_keys.expires_at <= $5
    RETURNING animal_id
  )
  INSERT INTO animals (id, name, category_id, status)
  SELECT animal_id, $6::text, $7::bigint, $8::text FROM claim
  RETURNING id`
