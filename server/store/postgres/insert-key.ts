import { type Kysely, sql } from 'kysely'
import { anyRow } from '../key-row.ts'
import { namesOf } from '../names-of.ts'
import type { Tables } from '../tables.ts'
import type { PositionsTable } from './positions.ts'

/** The columns of an API key in the order of its values, with what the server is to take them for. */
const types = {
  id: 'text',
  name: 'text',
  plan: 'text',
  per_minute: 'bigint',
  per_day: 'bigint',
  prefix: 'text',
  digest: 'bytea',
  created_at: 'bigint',
  expires_at: 'bigint',
  revoked_at: 'bigint',
  replaced_by: 'text',
} as const satisfies Record<keyof typeof anyRow, string>

/** The columns that an API key is read from. */
export const keyColumns = namesOf(types)

/** Adds a key at the next position, or at the first alone: then it gives no row when that is taken. */
export function insertKey(queries: Kysely<Tables>, { onlyFirst = false } = {}) {
  // Whoever takes a position keeps the row that counts them until the commit.
  const next = queries
    .withTables<{ positions: PositionsTable }>()
    .updateTable('positions')
    .set({ last: sql<number>`last + 1` })
    .where('name', '=', sql.lit('api_keys'))
    .returning('last')
  const values = keyColumns.map((name) => sql`${anyRow[name]}::${sql.raw(types[name])}`.as(name))
  return queries
    .with('next', () => (onlyFirst ? next.where('last', '=', sql.lit(0)) : next))
    .insertInto('api_keys')
    .columns(['position', ...keyColumns])
    .expression((db) => db.selectFrom('next').select(['last', ...values]))
    .returning('id')
}
