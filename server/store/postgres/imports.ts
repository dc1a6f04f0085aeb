import { toImportState } from '../import-row.ts'
import type { ImportStore } from '../import-store.ts'
import { type NewColumn, toNewRow } from '../pet-store.ts'
import type { ImportsTable } from '../tables.ts'
import { namesOf } from '../tables.ts'
import type { Database } from './database.ts'
import { prepare } from './statement.ts'

/** Keeps animals that come from files in PostgreSQL. */
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

/** The columns of a new animal, with what the server is to take their values for. */
const types = {
  name: 'text',
  category_id: 'bigint',
  status: 'text',
} as const satisfies Record<NewColumn, string>

const newColumns = namesOf(types)

// One statement, as every write: it notes how far the file is, and adds what it finds to be next.
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
