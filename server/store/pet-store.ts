import { setTimeout as wait } from 'node:timers/promises'
import type { Schema } from '../contract/handler.ts'
import type { Engine } from './engine.ts'
import { KeyInUse } from './errors.ts'

export type Pet = Schema<'Pet'>
export type NewPet = Schema<'NewPet'>

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

/** The column of each field of a pet. A field that the contract gains or loses fails here. */
const columns = {
  id: 'id',
  name: 'name',
  categoryId: 'category_id',
  status: 'status',
} as const satisfies Record<keyof Pet | keyof NewPet, string>

type PetRow = Omit<Pet, 'status'> & { readonly status: NonNullable<Pet['status']> | null }

function toPet({ id, name, categoryId, status }: PetRow): Pet {
  return status === null ? { id, name, categoryId } : { id, name, categoryId, status }
}

/** The fields of a pet. */
export const petFields = Object.keys(columns)

const fields = Object.entries(columns).map(([field, column]) => `${column} AS "${field}"`)
const select = `SELECT ${fields.join(', ')} FROM animals`

/** The statements that are the same in both engines. */
const sql = {
  find: `${select} WHERE id = $1`,
  page: `${select} WHERE id > $1 ORDER BY id LIMIT $2`,
  last: 'SELECT max(id) AS id FROM animals',
  insert: 'INSERT INTO animals (name, category_id, status) VALUES ($1, $2, $3) RETURNING id',
  findKey: `SELECT fingerprint, animal_id FROM idempotency_keys
    WHERE caller_id = $1 AND key = $2 AND expires_at > $3`,
}

/** Expired idempotency keys that are deleted at a time, and the least milliseconds in between. */
const [mostDeleted, deletionPause] = [1_000, 100]

/** Milliseconds that a repeated addition waits for the first one with its key. */
const repetitionTimeout = 250

export type PetStore = ReturnType<typeof createPetStore>

/** Stores pets in a database. They never change, and ids only grow. */
export function createPetStore({ dialect, read, write }: Engine) {
  const pageWithStatus = `${select} ${dialect.pageWithStatus}`
  const deleteExpired = `DELETE FROM idempotency_keys WHERE (caller_id, key) IN (
    SELECT caller_id, key FROM idempotency_keys WHERE expires_at <= $1
    ORDER BY expires_at LIMIT $2 ${dialect.skipLocked})`
  let deletedAt = Number.NEGATIVE_INFINITY
  /** The last addition with each idempotency key that this process is working on. */
  const running = new Map<string, Promise<unknown>>()

  async function addOnce(pet: NewPet, once: Once): Promise<Addition> {
    const name = `${once.callerId} ${once.key}`
    const isDone = running.get(name)?.then(() => true)
    const inTime = isDone && Promise.race([isDone, wait(repetitionTimeout, false, { ref: false })])
    if ((await inTime) === false) return { kind: 'in-progress' }
    const addition = insertOnce(pet, once)
    // Those that waited continue together: the database adds the pet once in any case.
    const done = addition.catch(() => undefined)
    running.set(name, done)
    void done.then(() => running.get(name) === done && running.delete(name))
    return addition
  }

  async function insertOnce(pet: NewPet, once: Once): Promise<Addition> {
    const now = Date.now()
    try {
      const [added] = await write<{ id: number }>(...dialect.insertOnce(pet, once, now))
      if (added !== undefined) {
        deleteExpiredKeys(now)
        return { kind: 'added', pet: withId(added.id, pet) }
      }
    } catch (error) {
      if (error instanceof KeyInUse) return { kind: 'in-progress' }
      throw error
    }
    const [earlier] = await read<{ fingerprint: string; animal_id: number }>(
      ...[sql.findKey, once.callerId, once.key, now],
    )
    // It was deleted in between.
    if (earlier === undefined) return insertOnce(pet, once)
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
    return (await read<PetRow>(sql.find, id)).map(toPet)[0]
  }

  return {
    /** Adds a pet; when the promise resolves, the pet survives a crash. */
    async add(pet: NewPet, once?: Once): Promise<Addition> {
      if (once !== undefined) return addOnce(pet, once)
      const { name, categoryId, status = null } = pet
      const [row] = await write<{ id: number }>([sql.insert, name, categoryId, status])
      if (row === undefined) throw new Error('The insert returned no id.')
      return { kind: 'added', pet: withId(row.id, pet) }
    },
    find,
    /** Returns the pets of a page: those after an id, in ascending order of id. */
    async page({ after, limit, status }: PageQuery): Promise<Pet[]> {
      const rows =
        status === undefined
          ? await read<PetRow>(sql.page, after, limit)
          : await read<PetRow>(pageWithStatus, status, after, limit)
      return rows.map(toPet)
    },
    /** Returns the highest id of a pet; 0 if there is none. */
    lastId: async (): Promise<number> => (await read<{ id: number | null }>(sql.last))[0]?.id ?? 0,
  }
}

function withId(id: number, { name, categoryId, status }: NewPet): Pet {
  return toPet({ id, name, categoryId, status: status ?? null })
}
