import { type ImportStore, toImportState } from '../import-store.ts'
import { namesOf } from '../names-of.ts'
import { toNewRow } from '../pet-row.ts'
import type { ImportsTable } from '../tables.ts'
import type { Database } from './database.ts'
import { prepare } from './statement.ts'

/** Adds pets from files in PostgreSQL. */
export function createImportStore({ read, write }: Database): ImportStore {
  const begin = prepare(
    write,
    `INSERT INTO imports (digest, records, animals, finished_at) VALUES ($1, 0, 0, NULL)
      ON CONFLICT DO NOTHING`,
  )
  const find = prepare<ImportsTable>(read, 'SELECT * FROM imports WHERE digest = $1')
  const advance = prepare(write, addStep)
  const forget = prepare(write, 'DELETE FROM imports WHERE digest = $1')
  return {
    async begin(digest) {
      await begin(digest)
      const [found] = await find(digest)
      return toImportState(found)
    },
    async advance({ digest, from, to, animals, finishedAt }) {
      const rows = JSON.stringify(animals.map(toNewRow))
      const done = await advance(to, animals.length, finishedAt ?? null, digest, from, rows)
      return done.length > 0
    },
    forget: async (digest) => void (await forget(digest)),
  }
}

// One statement, as every write: it moves the progress of the file, and adds pets only if it could.
// The columns get their types from the table.
const columns = namesOf(toNewRow({ name: '', categoryId: 0 })).join(', ')
const addStep = `
  WITH step AS (
    UPDATE imports SET records = $1::bigint, animals = animals + $2::bigint, finished_at = $3::bigint
    WHERE digest = $4::text AND records = $5::bigint
    RETURNING records
  ), added AS (
    INSERT INTO animals (${columns})
    SELECT ${columns} FROM step, (
      SELECT * FROM ROWS FROM (json_populate_recordset(NULL::animals, $6)) WITH ORDINALITY
      ORDER BY ordinality
    ) AS next
  )
  SELECT records FROM step`
