import { animalColumns, toAnimal } from '../pet-row.ts'
import type { Addition, NewPet, Once, Pet, PetStore } from '../pet-store.ts'
import type { AnimalsTable } from '../tables.ts'
import { createTurns } from '../turns.ts'
import { prepareAddOnce } from './add-once.ts'
import type { Database } from './database.ts'
import { createIdempotencyKeys } from './idempotency-keys.ts'
import { prepare } from './statement.ts'

/** Keeps animals in PostgreSQL. */
export function createPetStore(database: Database): PetStore {
  const statements = prepareStatements(database)
  const addAnimalOnce = prepareAddOnce(database)
  const idempotencyKeys = createIdempotencyKeys(database)
  const turns = createTurns<Addition>({ kind: 'in-progress' })

  async function add(animal: NewPet): Promise<Addition> {
    const [row] = await statements.insert(animal.name, animal.categoryId, animal.status ?? null)
    if (row === undefined) throw new Error('The insert gave no id.')
    return { kind: 'added', animal: withId(row.id, animal) }
  }

  async function addOnce(animal: NewPet, once: Once): Promise<Addition> {
    const now = Date.now()
    const claim = await addAnimalOnce(animal, once, now)
    if (claim.kind === 'in-progress') return claim
    if (claim.kind === 'added') {
      idempotencyKeys.forgetSome(now)
      return { kind: 'added', animal: withId(claim.id, animal) }
    }
    const row = await idempotencyKeys.find(once, now)
    // Its time was over in between.
    if (row === undefined) return addOnce(animal, once)
    const { fingerprint, id, name, category_id, status } = row
    if (id === null || name === null || category_id === null) return { kind: 'reused' }
    if (fingerprint !== once.fingerprint) return { kind: 'reused' }
    return { kind: 'repeated', animal: toAnimal({ id, name, category_id, status }) }
  }

  return {
    add: (animal, once) =>
      once === undefined
        ? add(animal)
        : turns.take(`${once.callerId} ${once.key}`, () => addOnce(animal, once)),
    find: async (id) => (await statements.find(id)).map(toAnimal)[0],
    async page({ after, limit, status }) {
      const rows =
        status === undefined
          ? await statements.page(after, limit)
          : await statements.pageWithStatus(status, after, limit)
      return rows.map(toAnimal)
    },
    lastId: async () => (await statements.last())[0]?.id ?? 0,
  }
}

function withId(id: number, { name, categoryId, status }: NewPet): Pet {
  return toAnimal({ id, name, category_id: categoryId, status: status ?? null })
}

function prepareStatements({ read, write }: Database) {
  const select = `SELECT ${animalColumns.join(', ')} FROM animals`
  const prepareSelect = (rest: string) => prepare<AnimalsTable>(read, `${select} ${rest}`)
  return {
    find: prepareSelect('WHERE id = $1'),
    page: prepareSelect('WHERE id > $1 ORDER BY id LIMIT $2'),
    // Where a status is asked for with `=` and order by `id`, the planner may walk all animals by id
    // and leave out those of other statuses: a rare status would cost the whole table. In the order
    // of status and id there is but one way, from a place in that index up to the end of the status.
    pageWithStatus: prepareSelect(
      'WHERE (status, id) > ($1, $2) AND status <= $1 ORDER BY status, id LIMIT $3',
    ),
    last: prepareSelect('ORDER BY id DESC LIMIT 1'),
    insert: prepare<Pick<AnimalsTable, 'id'>>(
      write,
      'INSERT INTO animals (name, category_id, status) VALUES ($1, $2, $3) RETURNING id',
    ),
  }
}
