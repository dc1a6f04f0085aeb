import { createOnceQueue } from '../idempotency.ts'
import {
  type Addition,
  type NewPet,
  type Once,
  type Pet,
  type PetStore,
  selectPets,
  toPet,
  withId,
} from '../pet-store.ts'
import type { AnimalsTable, IdempotencyKeysTable } from '../tables.ts'
import type { Database } from './database.ts'
import { guarded } from './errors.ts'
import { prepare } from './statement.ts'
import type { Write } from './write-queue.ts'

/** Expired idempotency keys that are deleted with each new one: more than arrive, too few to notice. */
const mostDeleted = 100

/** Stores pets in SQLite. */
export function createPetStore(database: Database, write: Write): PetStore {
  const statements = prepareStatements(database)
  const afterOthers = createOnceQueue()

  function insert(pet: NewPet): Pet {
    const row = statements.insert.get(pet.name, pet.categoryId, pet.status ?? null)
    if (row === undefined) throw new Error('The insert returned no id.')
    return withId(row.id, pet)
  }

  function addOnce(pet: NewPet, { callerId, key, fingerprint, expiresAt }: Once): Addition {
    const earlier = statements.findKey.get(callerId, key, Date.now())
    if (earlier === undefined) {
      const added = insert(pet)
      statements.deleteExpiredKeys.run(Date.now(), mostDeleted)
      statements.insertKey.run(callerId, key, fingerprint, added.id, expiresAt)
      return { kind: 'added', pet: added }
    }
    const row = statements.find.get(earlier.animal_id)
    if (row === undefined || earlier.fingerprint !== fingerprint) return { kind: 'reused' }
    return { kind: 'repeated', pet: toPet(row) }
  }

  return {
    add: (pet, once) =>
      once === undefined
        ? write(() => ({ kind: 'added', pet: insert(pet) }))
        : afterOthers(once, () => write(() => addOnce(pet, once))),
    find: (id) => guarded(() => statements.find.all(id).map(toPet)[0]),
    page: ({ after, limit, status }) =>
      guarded(() => {
        const rows =
          status === undefined
            ? statements.page.all(after, limit)
            : statements.pageWithStatus.all(status, after, limit)
        return rows.map(toPet)
      }),
    lastId: () => guarded(() => statements.last.get()?.id ?? 0),
  }
}

function prepareStatements({ connection }: Database) {
  const prepareSelect = (rest: string) => prepare<AnimalsTable>(connection, `${selectPets} ${rest}`)
  return {
    find: prepareSelect('WHERE id = ?'),
    // A plus keeps SQLite from preparing them again for every value, to look for a better plan.
    page: prepareSelect('WHERE id > +? ORDER BY id LIMIT +?'),
    pageWithStatus: prepareSelect('WHERE status = +? AND id > +? ORDER BY id LIMIT +?'),
    last: prepareSelect('ORDER BY id DESC LIMIT 1'),
    insert: prepare<Pick<AnimalsTable, 'id'>>(
      connection,
      'INSERT INTO animals (name, category_id, status) VALUES (?, ?, ?) RETURNING id',
    ),
    findKey: prepare<Pick<IdempotencyKeysTable, 'fingerprint' | 'animal_id'>>(
      connection,
      `SELECT fingerprint, animal_id FROM idempotency_keys
        WHERE caller_id = ? AND key = ? AND expires_at > +?`,
    ),
    deleteExpiredKeys: prepare(
      connection,
      `DELETE FROM idempotency_keys WHERE (caller_id, key) IN (
        SELECT caller_id, key FROM idempotency_keys WHERE expires_at <= +? LIMIT +?
      )`,
    ),
    // The key may still be there although it has expired.
    insertKey: prepare(
      connection,
      `REPLACE INTO idempotency_keys (caller_id, key, fingerprint, animal_id, expires_at)
        VALUES (?, ?, ?, ?, ?)`,
    ),
  }
}
