import type { Schema } from '../contract/handler.ts'
import type { Engine } from '../store/engine.ts'
import { Creates, type Once } from '../store/idempotent-create.ts'
import { animals } from './schema.ts'

export type Pet = Schema<'Pet'>
export type NewPet = Schema<'NewPet'>

export interface PageQuery {
  readonly after: number
  readonly limit: number
  readonly status: Pet['status'] | undefined
}

/** A pet that was added, now or by an earlier request, or why there is none. */
export type Addition =
  | { readonly kind: 'added' | 'repeated'; readonly pet: Pet }
  | { readonly kind: 'reused' | 'in-progress' }

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

const sql = {
  find: `${select} WHERE id = $1`,
  page: `${select} WHERE id > $1 ORDER BY id LIMIT $2`,
  last: 'SELECT max(id) AS id FROM animals',
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
  const creates = new Creates(engine, animals)

  async function find(id: number): Promise<Pet | undefined> {
    return (await read<PetRow>(sql.find, id)).map(toPet)[0]
  }

  return {
    /** Adds a pet; when the promise resolves, the pet survives a crash. */
    async add(pet: NewPet, once?: Once): Promise<Addition> {
      const { name, categoryId, status = null } = pet
      const created = await creates.add([name, categoryId, status], once)
      if (created.kind === 'reused' || created.kind === 'in-progress') return created
      const { kind, id } = created
      if (kind === 'added') return { kind, pet: toPet({ id, name, categoryId, status }) }
      const found = await find(id)
      return found === undefined ? { kind: 'reused' } : { kind, pet: found }
    },
    find,
    /** Returns the pets of a page: those after an id, in ascending order of id. */
    async page({ after, limit, status }: PageQuery): Promise<Pet[]> {
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
