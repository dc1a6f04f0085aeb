import { namesOf } from './names-of.ts'
import type { NewPet, Pet } from './pet-store.ts'
import type { AnimalsTable } from './tables.ts'

/** Where each field of an animal is kept. A field that the contract gains or loses fails here. */
const columns = {
  id: 'id',
  name: 'name',
  categoryId: 'category_id',
  status: 'status',
} as const satisfies Record<keyof Pet | keyof NewPet, keyof AnimalsTable>

/** The fields of an animal. */
export const animalFields = namesOf(columns)

/** The columns that an animal is read from. */
export const animalColumns = Object.values(columns)

/** A row as the animal that is kept in it. */
export function toAnimal(row: AnimalsTable): Pet {
  const { id, name, category_id: categoryId, status } = row
  return status === null ? { id, name, categoryId } : { id, name, categoryId, status }
}

/** The columns of a row that an animal to be added gives; the database gives the others. */
export type NewColumn = Exclude<keyof AnimalsTable, 'id'>

/** An animal to be added as its row. */
export function toNewRow({ name, categoryId, status }: NewPet) {
  const row = { name, category_id: categoryId, status: status ?? null }
  return row satisfies Record<NewColumn, string | number | null>
}
