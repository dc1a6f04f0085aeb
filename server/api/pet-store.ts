import type { Engine } from '../store/engine.ts'
import { type IdempotencyKey, IdempotentCreates } from '../store/idempotent-create.ts'
import { type NewPet, type Pet, petColumns, petTable } from './schema.ts'

/** A row of a pet: null in place of an optional field. */
type PetRow = {
  readonly [Field in keyof Pet]-?: undefined extends Pet[Field]
    ? NonNullable<Pet[Field]> | null
    : Pet[Field]
}

/** The optional fields of a pet without any. */
const none = { status: null }

function toPet({ id, name, categoryId, status }: PetRow): Pet {
  return status === null ? { id, name, categoryId } : { id, name, categoryId, status }
}

const newPetFields = Object.keys(petColumns) as (keyof NewPet)[]

/** The fields of a pet. */
export const petFields: readonly (keyof Pet)[] = ['id', ...newPetFields]

const selected = newPetFields.map((field) => `${petColumns[field][0]} AS "${field}"`)
const select = `SELECT id, ${selected.join(', ')} FROM pets`

const sql = {
  find: `${select} WHERE id = $1`,
  page: `${select} WHERE id > $1 ORDER BY id LIMIT $2`,
  last: 'SELECT max(id) AS id FROM pets',
}

/** The page of one status. */
const pageWithStatus = {
  // The row comparison of PostgreSQL would read all pets of the status: SQLite uses its first column.
  sqlite: `${select} WHERE status = $1 AND id > $2 ORDER BY id LIMIT $3`,
  // With `status = $1 ORDER BY id` the planner may read all pets by id and skip other statuses: a rare
  // status would cost the whole table. In the order of status and id there is one way only, from a
  // position in that index to the end of the status.
  postgresql: `${select} WHERE (status, id) > ($1, $2) AND status <= $1 ORDER BY status, id LIMIT $3`,
}

export type PetStore = ReturnType<typeof createPetStore>

/** Stores pets in a database. They never change, and ids only grow. */
export function createPetStore(engine: Engine) {
  const { dialect, read } = engine
  const creates = new IdempotentCreates(engine, petTable)

  return {
    /** Adds a pet; when the promise resolves, the pet survives a crash. */
    async add(pet: NewPet, idempotencyKey?: IdempotencyKey) {
      const values = newPetFields.map((field) => pet[field] ?? null)
      const created = await creates.add(values, idempotencyKey)
      if (!('id' in created)) {
        return created
      }
      // A repeated request has the same fields, and pets never change.
      return { kind: created.kind, pet: toPet({ id: created.id, ...none, ...pet }) }
    },
    async find(id: number): Promise<Pet | undefined> {
      return (await read<PetRow>(sql.find, id)).map(toPet)[0]
    },
    /** Returns the pets of a page: those after an id, in ascending order of id. */
    async page(after: number, limit: number, status?: Pet['status']): Promise<Pet[]> {
      const rows =
        status === undefined
          ? await read<PetRow>(sql.page, after, limit)
          : await read<PetRow>(pageWithStatus[dialect.engine], status, after, limit)
      return rows.map(toPet)
    },
    /** Returns the highest id of a pet; 0 if there is none. */
    lastId: async (): Promise<number> => (await read<{ id: number | null }>(sql.last))[0]?.id ?? 0,
  }
}
