import type { Compilable } from 'kysely'
import type { anyRow } from '../key-row.ts'
import { namesOf } from '../names-of.ts'
import { written } from './statement.ts'

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
export function insertKey({ onlyFirst = false } = {}): Compilable<{ id: string }> {
  const values = keyColumns.map((name, index) => `$${index + 1}::${types[name]}`)
  // Whoever takes a position keeps the row that counts them until the commit.
  return written(`
    WITH next AS (
      UPDATE positions SET last = last + 1
      WHERE name = 'api_keys'${onlyFirst ? ' AND last = 0' : ''}
      RETURNING last
    )
    INSERT INTO api_keys (position, ${keyColumns.join(', ')})
    SELECT last, ${values.join(', ')} FROM next
    RETURNING id`)
}
