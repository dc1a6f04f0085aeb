import { animalColumns, toAnimal } from '../pet-row.ts'
import type { Addition, NewPet, Once, Pet, PetStore } from '../pet-store.ts'
import type { AnimalsTable } from '../tables.ts'
import { createTurns } from '../turns.ts'
import type { Database } from './database.ts'
import { guarded } from './faults.ts'
import { createIdempotencyKeys } from './idempotency-keys.ts'
import { prepare } from './statement.ts'
import type { WriteQueue } from './write-queue.ts'

/** Keeps animals in SQLite. */
export function createPetStore(database: Database, write: WriteQueue): PetStore {
  const statements = prepareStatements(database)
  const idempotencyKeys = createIdempotencyKeys(database)
  const turns = createTurns<Addition>({ kind: 'in-progress' })

  function insert({ name, categoryId, status }: NewPet): Pet {
    const row = statements.insert.get(name, categoryId, status ?? null)
    if (row === undefined) throw new Error('The insert gave no id.')
    return toAnimal({ id: row.id, name, category_id: categoryId, status: status ?? null })
  }

  function addOnce(animal: NewPet, once: Once): Addition {
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
    lastId: () => guarded(() => statements.last.get()?.id ?? 0),
  }
}

function prepareStatements({ connection }: Database) {
  const select = `SELECT ${animalColumns.join(', ')} FROM animals`
  const prepareSelect = (rest: string) => prepare<AnimalsTable>(connection, `${select} ${rest}`)
  return {
    find: prepareSelect('WHERE id = ?'),
    // A plus keeps SQLite from preparing them anew for every value, to look for a better plan.
    page: prepareSelect('WHERE id > +? ORDER BY id LIMIT +?'),
    pageWithStatus: prepareSelect('WHERE status = +? AND id > +? ORDER BY id LIMIT +?'),
    last: prepareSelect('ORDER BY id DESC LIMIT 1'),
    insert: prepare<Pick<AnimalsTable, 'id'>>(
      connection,
      'INSERT INTO animals (name, category_id, status) VALUES (?, ?, ?) RETURNING id',
    ),
  }
}
