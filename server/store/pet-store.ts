import type { Schema } from '../contract/handler.ts'
import type { Engine } from './engine.ts'
import { KeyInUse } from './errors.ts'
import { createOnceQueue } from './idempotency.ts'
import { type AnimalsTable, type IdempotencyKeysTable, namesOf } from './tables.ts'

export type Pet = Schema<'Pet'>
export type NewPet = Schema<'NewPet'>

/** The pets of a page: those after an id, in ascending order of id. */
export interface PageQuery {
  readonly after: number
  readonly limit: number
  readonly status: Pet['status'] | undefined
}

/** Makes an addition happen once, however often it is requested. */
export interface Once {
  /** The owner of the key: the same `key` of two callers is two keys. */
  readonly callerId: string
  readonly key: string
  /** Equal for equal pets. */
  readonly fingerprint: string
  /** When the key expires, in milliseconds since 1970. */
  readonly expiresAt: number
}

export type Addition =
  | { readonly kind: 'added' | 'repeated'; readonly pet: Pet }
  /** The key was used for another pet. */
  | { readonly kind: 'reused' }
  /** The first addition with the key is not finished. */
  | { readonly kind: 'in-progress' }

/** Stores pets. They never change, and ids only grow. */
export interface PetStore {
  /** Adds a pet; when the promise resolves, the pet survives a crash. */
  readonly add: (pet: NewPet, once?: Once) => Promise<Addition>
  readonly find: (id: number) => Promise<Pet | undefined>
  readonly page: (query: PageQuery) => Promise<Pet[]>
  /** Returns the highest id of a pet; 0 if there is none. */
  readonly lastId: () => Promise<number>
}

/** The column of each field of a pet. A field that the contract gains or loses fails here. */
const columns = {
  id: 'id',
  name: 'name',
  categoryId: 'category_id',
  status: 'status',
} as const satisfies Record<keyof Pet | keyof NewPet, keyof AnimalsTable>

/** The fields of a pet. */
export const petFields = namesOf(columns)

function toPet(row: AnimalsTable): Pet {
  const { id, name, category_id: categoryId, status } = row
  return status === null ? { id, name, categoryId } : { id, name, categoryId, status }
}

/** The columns of a row that a new pet sets; the database sets the others. */
export type NewColumn = Exclude<keyof AnimalsTable, 'id'>

/** Returns the row of a new pet. */
export function toNewRow({ name, categoryId, status }: NewPet) {
  const row = { name, category_id: categoryId, status: status ?? null }
  return row satisfies Record<NewColumn, string | number | null>
}

/** The names of those columns. */
export const newColumns = namesOf(toNewRow({ name: '', categoryId: 0 }))

const select = `SELECT ${Object.values(columns).join(', ')} FROM animals`

/** The statements that are the same in both engines. */
const sql = {
  find: `${select} WHERE id = $1`,
  page: `${select} WHERE id > $1 ORDER BY id LIMIT $2`,
  last: `${select} ORDER BY id DESC LIMIT 1`,
  insert: 'INSERT INTO animals (name, category_id, status) VALUES ($1, $2, $3) RETURNING id',
  findKey: `SELECT fingerprint, animal_id FROM idempotency_keys
    WHERE caller_id = $1 AND key = $2 AND expires_at > $3`,
}

type UsedKey = Pick<IdempotencyKeysTable, 'fingerprint' | 'animal_id'>

/** Expired idempotency keys that are deleted at a time, and the least milliseconds in between. */
const [mostDeleted, deletionPause] = [1_000, 100]

/** Stores pets in a database. */
export function createPetStore({ dialect, read, write }: Engine): PetStore {
  const afterOthers = createOnceQueue()
  const pageWithStatus = `${select} ${dialect.pageWithStatus}`
  const deleteExpired = `DELETE FROM idempotency_keys WHERE (caller_id, key) IN (
    SELECT caller_id, key FROM idempotency_keys WHERE expires_at <= $1
    ORDER BY expires_at LIMIT $2 ${dialect.skipLocked})`
  let deletedAt = Number.NEGATIVE_INFINITY

  async function add(pet: NewPet): Promise<Addition> {
    const { name, category_id, status } = toNewRow(pet)
    const [row] = await write<{ id: number }>([sql.insert, name, category_id, status])
    if (row === undefined) throw new Error('The insert returned no id.')
    return { kind: 'added', pet: withId(row.id, pet) }
  }

  async function addOnce(pet: NewPet, once: Once): Promise<Addition> {
    const now = Date.now()
    const [added] = await write<{ id: number }>(...dialect.insertOnce(toNewRow(pet), once, now))
    if (added !== undefined) {
      deleteExpiredKeys(now)
      return { kind: 'added', pet: withId(added.id, pet) }
    }
    const [earlier] = await read<UsedKey>(sql.findKey, once.callerId, once.key, now)
    // It was deleted in between.
    if (earlier === undefined) return addOnce(pet, once)
    const found = await find(earlier.animal_id)
    if (found === undefined || earlier.fingerprint !== once.fingerprint) return { kind: 'reused' }
    return { kind: 'repeated', pet: found }
  }

  // No request waits for it, and what it does not delete is deleted later.
  function deleteExpiredKeys(now: number): void {
    if (performance.now() < deletedAt + deletionPause) return
    deletedAt = performance.now()
    write([deleteExpired, now, mostDeleted]).catch(() => undefined)
  }

  async function find(id: number): Promise<Pet | undefined> {
    return (await read<AnimalsTable>(sql.find, id)).map(toPet)[0]
  }

  return {
    add: (pet, once) =>
      once === undefined
        ? add(pet)
        : afterOthers(once, () => addOnce(pet, once).catch(toInProgress)),
    find,
    async page({ after, limit, status }) {
      const rows =
        status === undefined
          ? await read<AnimalsTable>(sql.page, after, limit)
          : await read<AnimalsTable>(pageWithStatus, status, after, limit)
      return rows.map(toPet)
    },
    lastId: async () => (await read<AnimalsTable>(sql.last))[0]?.id ?? 0,
  }
}

function withId(id: number, pet: NewPet): Pet {
  return toPet({ id, ...toNewRow(pet) })
}

function toInProgress(error: unknown): Addition {
  if (error instanceof KeyInUse) return { kind: 'in-progress' }
  throw error
}
