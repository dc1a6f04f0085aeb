import { type ImportStore, toImportState } from '../import-store.ts'
import { namesOf } from '../names-of.ts'
import { toNewRow } from '../pet-row.ts'
import type { ImportsTable } from '../tables.ts'
import type { Database } from './database.ts'
import { prepare } from './statement.ts'
import type { WriteQueue } from './write-queue.ts'

/** Adds pets from files in SQLite. */
export function createImportStore(database: Database, write: WriteQueue): ImportStore {
  const statements = prepareStatements(database)
  return {
    begin: (digest) =>
      write(() => {
        statements.begin.run(digest)
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

function prepareStatements({ connection }: Database) {
  const columns = namesOf(toNewRow({ name: '', categoryId: 0 }))
  return {
    begin: prepare(
      connection,
      `INSERT INTO imports (digest, records, animals, finished_at) VALUES (?, 0, 0, NULL)
        ON CONFLICT DO NOTHING`,
    ),
    find: prepare<ImportsTable>(connection, 'SELECT * FROM imports WHERE digest = ?'),
    advance: prepare(
      connection,
      `UPDATE imports SET records = ?, animals = animals + ?, finished_at = ?
        WHERE digest = ? AND records = ? RETURNING records`,
    ),
    insert: prepare(
      connection,
      `INSERT INTO animals (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    ),
    forget: prepare(connection, 'DELETE FROM imports WHERE digest = ?'),
  }
}
