import { animalColumns, toAnimal } from '../animal-row.ts'
import type { Addition, Animal, AnimalStore, NewAnimal, Once } from '../animal-store.ts'
import { createTurns } from '../turns.ts'
import type { Database } from './database.ts'
import { guarded } from './faults.ts'
import { createIdempotencyKeys } from './idempotency-keys.ts'
import { prepare } from './statement.ts'
import type { WriteQueue } from './write-queue.ts'

/** Keeps animals in SQLite. */
export function createAnimalStore(database: Database, write: WriteQueue): AnimalStore {
  const statements = prepareStatements(database)
  const idempotencyKeys = createIdempotencyKeys(database)
  const turns = createTurns<Addition>({ kind: 'in-progress' })

  function insert({ name, categoryId, status }: NewAnimal): Animal {
    const row = statements.insert.get(name, categoryId, status ?? null)
    if (row === undefined) throw new Error('The insert gave no id.')
    return toAnimal({ id: row.id, name, category_id: categoryId, status: status ?? null })
  }

  function addOnce(animal: NewAnimal, once: Once): Addition {
    const earlier = idempotencyKeys.find(once)
    if (earlier === undefined) {
      const added = insert(animal)
      idempotencyKeys.keep(once, added.id)
      return { kind: 'added', animal: added }
    }
    const row = statements.find.get(earlier.animal_id)
    if (row === undefined || earlier.fingerprint !== once.fingerprint) return { kind: 'reused' }
    return { kind: 'repeated', animal: toAnimal(row) }
  }

  return {
    async add(animal, once) {
      if (once === undefined) return write(() => ({ kind: 'added', animal: insert(animal) }))
      return turns.take(`${once.callerId} ${once.key}`, () => write(() => addOnce(animal, once)))
    },
    find: (id) =>
      guarded(() => {
        const row = statements.find.get(id)
        return row === undefined ? undefined : toAnimal(row)
      }),
    page: ({ after, limit, status }) =>
      guarded(() => {
        const rows =
          status === undefined
            ? statements.page.all(after, limit)
            : statements.pageWithStatus.all(status, after, limit)
        return rows.map(toAnimal)
      }),
    lastId: () => guarded(() => statements.last.get(1)?.id ?? 0),
  }
}

function prepareStatements({ connection, queries }: Database) {
  const selectAnimals = queries.selectFrom('animals').select(animalColumns)
  const page = selectAnimals.where('id', '>', 0).orderBy('id').limit(1)
  const byStatus = selectAnimals.where('status', '=', null).where('id', '>', 0)
  const added = { name: '', category_id: 0, status: null }
  return {
    find: prepare(connection, selectAnimals.where('id', '=', 0)),
    page: prepare(connection, page),
    pageWithStatus: prepare(connection, byStatus.orderBy('id').limit(1)),
    last: prepare(connection, selectAnimals.orderBy('id', 'desc').limit(1)),
    insert: prepare(connection, queries.insertInto('animals').values(added).returning('id')),
  }
}
