import type { Schema } from '../contract/handler.ts'
import { type AnimalsTable, namesOf } from './tables.ts'

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

/** Selects every column of pets. */
export const selectPets = `SELECT ${Object.values(columns).join(', ')} FROM animals`

/** Returns the pet of a row. */
export function toPet(row: AnimalsTable): Pet {
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

/** Returns the stored pet of a new one. */
export function withId(id: number, pet: NewPet): Pet {
  return toPet({ id, ...toNewRow(pet) })
}
