import { type Kysely, sql } from 'kysely'
import { animalColumns, toAnimal } from '../animal-row.ts'
import type { Addition, Animal, AnimalStore, NewAnimal, Once } from '../animal-store.ts'
import type { Tables } from '../tables.ts'
import { createTurns } from '../turns.ts'
import { prepareAddOnce } from './add-once.ts'
import type { Database } from './database.ts'
import { createIdempotencyKeys } from './idempotency-keys.ts'
import { prepare } from './statement.ts'

/** Keeps animals in PostgreSQL. */
export function createAnimalStore(database: Database): AnimalStore {
  const statements = prepareStatements(database)
  const addAnimalOnce = prepareAddOnce(database)
  const idempotencyKeys = createIdempotencyKeys(database)
  const turns = createTurns<Addition>({ kind: 'in-progress' })

  async function add(animal: NewAnimal): Promise<Addition> {
    const [row] = await statements.insert(animal.name, animal.categoryId, animal.status ?? null)
    if (row === undefined) throw new Error('The insert gave no id.')
    return { kind: 'added', animal: withId(row.id, animal) }
  }

  async function addOnce(animal: NewAnimal, once: Once): Promise<Addition> {
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
          : await statements.pageWithStatus(status, after, status, limit)
      return rows.map(toAnimal)
    },
    lastId: async () => (await statements.last(1))[0]?.id ?? 0,
  }
}

function withId(id: number, { name, categoryId, status }: NewAnimal): Animal {
  return toAnimal({ id, name, category_id: categoryId, status: status ?? null })
}

function prepareStatements({ read, write, queries }: Database) {
  const added = { name: '', category_id: 0, status: null }
  return {
    find: prepare(read, selectAnimals(queries).where('id', '=', 0)),
    page: prepare(read, selectAnimals(queries).where('id', '>', 0).orderBy('id').limit(1)),
    pageWithStatus: prepare(read, selectPageWithStatus(queries)),
    last: prepare(read, selectAnimals(queries).orderBy('id', 'desc').limit(1)),
    insert: prepare(write, queries.insertInto('animals').values(added).returning('id')),
  }
}

function selectAnimals(queries: Kysely<Tables>) {
  return queries.selectFrom('animals').select(animalColumns)
}

// Where a status is asked for with `=` and order by `id`, the planner may walk all animals by id
// and leave out those of other statuses: a rare status would cost the whole table. In the order of
// status and id there is but one way, from a place in that index up to the end of the status.
function selectPageWithStatus(queries: Kysely<Tables>) {
  return selectAnimals(queries)
    .where(({ ref }) => sql<boolean>`(${ref('status')}, ${ref('id')}) > (${''}, ${0})`)
    .where('status', '<=', 'available')
    .orderBy('status')
    .orderBy('id')
    .limit(1)
}
