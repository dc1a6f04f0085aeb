import { type Kysely, sql } from 'kysely'
import { toImportState } from '../import-row.ts'
import type { ImportStore } from '../import-store.ts'
import type { Database } from './database.ts'
import { prepare } from './statement.ts'
import type { Tables } from './tables.ts'

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
      const done = await advance(
        to,
        animals.length,
        finishedAt ?? null,
        digest,
        from,
        animals.map(({ name }) => name),
        animals.map(({ categoryId }) => categoryId),
        animals.map(({ status }) => status ?? null),
      )
      return done.length > 0
    },
    forget: async (digest) => void (await forget(digest)),
  }
}

// One statement, as every write: it notes how far the file is, and adds what it finds to be next.
function addStep(queries: Kysely<Tables>) {
  const columns = ['name', 'category_id', 'status'] as const
  const animals = sql<Pick<Tables['animals'], (typeof columns)[number]>>`(SELECT *
    FROM unnest(${[]}::text[], ${[]}::bigint[], ${[]}::text[]) WITH ORDINALITY
    AS animal (name, category_id, status, place) ORDER BY place)`.as('next')
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
        .columns(columns)
        .expression(db.selectFrom(['step', animals]).select(columns)),
    )
    .selectFrom('step')
    .select('records')
}
