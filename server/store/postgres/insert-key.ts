import { type KeyRow, keyColumns } from '../key-row.ts'

/** What the server is to take the columns of an API key for. */
const types: Readonly<Record<keyof KeyRow, string>> = {
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
}

/** Adds a key at the next position, or at the first alone: then it gives no row when that is taken. */
export function insertKey({ onlyFirst = false } = {}): string {
  const values = keyColumns.map((name, index) => `$${index + 1}::${types[name]}`)
  // Whoever takes a position keeps the row that counts them until the commit.
  return `
    WITH next AS (
      UPDATE positions SET last = last + 1
      WHERE name = 'api_keys'${onlyFirst ? ' AND last = 0' : ''}
      RETURNING last
    )
    INSERT INTO api_keys (position, ${keyColumns.join(', ')})
    SELECT last, ${values.join(', ')} FROM next
    RETURNING id`
}
