import { toNewRow } from '../animal-row.ts'
import { toImportState } from '../import-row.ts'
import type { ImportStore } from '../import-store.ts'
import type { Database } from './database.ts'
import { prepare } from './statement.ts'
import type { WriteQueue } from './write-queue.ts'

/** Keeps animals that come from files in SQLite. */
export function createImportStore(database: Database, write: WriteQueue): ImportStore {
  const statements = prepareStatements(database)
  return {
    begin: (digest) =>
      write(() => {
        statements.begin.run(digest, 0, 0, null)
        return toImportState(statements.find.get(digest))
      }),
    advance: ({ digest, from, to, animals, finishedAt }) =>
      write(() => {
        const values = [to, animals.length, finishedAt ?? null, digest, from]
        if (statements.advance.get(...values) === undefined) return false
        for (const animal of animals) {
          statements.insert.run(...Object.values(toNewRow(animal)))
        }
        return true
      }),
    forget: (digest) => write(() => statements.forget.run(digest)),
  }
}

function prepareStatements({ connection, queries }: Database) {
  const row = { digest: '', records: 0, animals: 0, finished_at: null }
  const insert = queries.insertInto('imports').values(row)
  const advance = queries
    .updateTable('imports')
    .set(({ eb }) => ({ records: 0, animals: eb('animals', '+', 0), finished_at: 0 }))
    .where('digest', '=', '')
    .where('records', '=', 0)
  const animal = toNewRow({ name: '', categoryId: 0 })
  return {
    begin: prepare(
      connection,
      insert.onConflict((conflict) => conflict.doNothing()),
    ),
    find: prepare(connection, queries.selectFrom('imports').selectAll().where('digest', '=', '')),
    advance: prepare(connection, advance.returning('records')),
    insert: prepare(connection, queries.insertInto('animals').values(animal)),
    forget: prepare(connection, queries.deleteFrom('imports').where('digest', '=', '')),
  }
}
