import { type ImportStore, toImportState } from '../import-store.ts'
import { namesOf } from '../names-of.ts'
import { type NewColumn, toNewRow } from '../pet-row.ts'
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
  const advance = prepare(write, addStep())
  const forget = prepare(write, 'DELETE FROM imports WHERE digest = $1')
  return {
    async begin(digest) {
      await begin(digest)
      const [found] = await find(digest)
      return toImportState(found)
    },
    async advance({ digest, from, to, animals, finishedAt }) {
      const rows = animals.map(toNewRow)
      const columns = newColumns.map((column) => rows.map((row) => row[column]))
      const step = [to, animals.length, finishedAt ?? null, digest, from]
      const done = await advance(...step, ...columns)
      return done.length > 0
    },
    forget: async (digest) => void (await forget(digest)),
  }
}

/** The columns of a new pet, and the types of their values. */
const types = {
  name: 'text',
  category_id: 'bigint',
  status: 'text',
} as const satisfies Record<NewColumn, string>

const newColumns = namesOf(types)

// One statement, as every write: it moves the progress of the file, and adds pets only if it could.
function addStep(): string {
  const names = newColumns.join(', ')
  const arrays = newColumns.map((name, index) => `$${index + 6}::${types[name]}[]`)
  return `
    WITH step AS (
      UPDATE imports SET records = $1::bigint, animals = animals + $2::bigint, finished_at = $3::bigint
      WHERE digest = $4::text AND records = $5::bigint
      RETURNING records
    ), added AS (
      INSERT INTO animals (${names})
      SELECT ${names} FROM step, (
        SELECT * FROM unnest(${arrays.join(', ')}) WITH ORDINALITY AS animal (${names}, place)
        ORDER BY place
      ) AS next
    )
    SELECT records FROM step`
}
