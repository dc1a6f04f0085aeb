import { type Kysely, sql } from 'kysely'
import { type NewColumn, toNewRow } from '../animal-row.ts'
import { toImportState } from '../import-row.ts'
import type { ImportStore } from '../import-store.ts'
import { namesOf } from '../names-of.ts'
import type { Tables } from '../tables.ts'
import type { Database } from './database.ts'
import { prepare } from './statement.ts'

/** Keeps animals that come from files in PostgreSQL. */
export function createImportStore({ read, write, queries }: Database): ImportStore {
  const row = { digest: '', records: 0, animals: 0, finished_at: null }
  const insert = queries.insertInto('imports').values(row)
  const begin = prepare(
    write,
    insert.onConflict((conflict) => conflict.doNothing()),
  )
  const find = prepare(read, queries.selectFrom('imports').selectAll().where('digest', '=', ''))
  const advance = prepare(write, addStep(queries))
  const forget = prepare(write, queries.deleteFrom('imports').where('digest', '=', ''))
  return {
    async begin(digest) {
      await begin(digest, 0, 0, null)
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
function addStep(queries: Kysely<Tables>) {
  const arrays = newColumns.map((name) => sql`${[]}::${sql.raw(types[name])}[]`)
  const names = newColumns.map((name) => sql.ref(name))
  const animals = sql<Pick<Tables['animals'], NewColumn>>`(SELECT *
    FROM unnest(${sql.join(arrays)}) WITH ORDINALITY
    AS animal (${sql.join(names)}, place) ORDER BY place)`.as('next')
  return queries
    .with('step', (db) =>
      db
        .updateTable('imports')
        .set(({ eb }) => ({ records: 0, animals: eb('animals', '+', 0), finished_at: 0 }))
        .where('digest', '=', '')
        .where('records', '=', 0)
        .returning('records'),
    )
    .with('added', (db) =>
      db
        .insertInto('animals')
        .columns(newColumns)
        .expression(db.selectFrom(['step', animals]).select(newColumns)),
    )
    .selectFrom('step')
    .select('records')
}
