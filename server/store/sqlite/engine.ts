import type { Dialect, Engine, Query } from '../engine.ts'
import { keyColumns } from '../key-store.ts'
import { newColumns } from '../pet-store.ts'
import type { Database } from './database.ts'
import { guarded } from './errors.ts'
import { prepare, type Statement } from './statement.ts'
import type { Write } from './write-queue.ts'

/** Runs the statements of the stores in SQLite. */
export function createSqliteEngine({ connection }: Database, write: Write): Engine {
  const statements = new Map<string, Statement<unknown>>()

  function run<Row>([sql, ...values]: Query): Row[] {
    let statement = statements.get(sql)
    if (statement === undefined) {
      // A plus keeps SQLite from preparing it again for every value, to look for a better plan.
      statement = prepare(connection, sql.replaceAll('$', '+?'))
      statements.set(sql, statement)
    }
    return statement.all(...values) as Row[]
  }

  return {
    dialect,
    read: (...query) => guarded(() => run(query)),
    write: <Row>(first: Query, ...others: readonly Query[]) =>
      write(() => {
        const rows = run<Row>(first)
        if (rows.length > 0) for (const query of others) run(query)
        return rows
      }),
  }
}

const insertIfUnused = `
  INSERT INTO animals (name, category_id, status)
  SELECT $1, $2, $3 WHERE NOT EXISTS (
    SELECT 1 FROM idempotency_keys WHERE caller_id = $4 AND key = $5 AND expires_at > $6
  ) RETURNING id`

// The key may still be there although it has expired.
const keepKey = `
  REPLACE INTO idempotency_keys (caller_id, key, fingerprint, expires_at, animal_id)
  VALUES ($1, $2, $3, $4, last_insert_rowid())`

const dialect: Dialect = {
  insertOnce: (pet, { callerId, key, fingerprint, expiresAt }, now) => [
    [insertIfUnused, pet.name, pet.category_id, pet.status, callerId, key, now],
    [keepKey, callerId, key, fingerprint, expiresAt],
  ],
  insertPets: `INSERT INTO animals (${newColumns.join(', ')})
    SELECT ${newColumns.map((name) => `value ->> '${name}'`).join(', ')} FROM json_each($1) ORDER BY key`,
  // The row comparison of PostgreSQL would read all pets of the status: SQLite uses its first column.
  pageWithStatus: 'WHERE status = $1 AND id > $2 ORDER BY id LIMIT $3',
  insertKey: `INSERT INTO api_keys (${keyColumns.join(', ')})
    VALUES (${keyColumns.map((_, index) => `$${index + 1}`).join(', ')})`,
  isFirstKey: 'SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM api_keys)',
  // Without a WHERE, SQLite takes ON CONFLICT for a part of the SELECT.
  selectUses: `SELECT value ->> 'keyId', value ->> 'day', value ->> 'requests',
    value ->> 'lastUsedAt' FROM json_each($1) WHERE true`,
  max: 'max',
  skipLocked: '',
}
