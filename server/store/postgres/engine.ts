import type { ClientBase, QueryResultRow } from 'pg'
import type { Dialect, Engine, Query } from '../engine.ts'
import { KeyInUse } from '../errors.ts'
import { keyColumns } from '../key-store.ts'
import { newColumns } from '../pet-store.ts'
import type { Database } from './database.ts'
import { isRowLocked } from './errors.ts'
import { inTransaction, prepareOn, type StatementOn } from './statement.ts'

/** Runs the statements of the stores in PostgreSQL. */
export function createPostgresEngine({ read, write }: Database): Engine {
  const statements = new Map<string, StatementOn<QueryResultRow>>()

  async function run<Row>(client: ClientBase, [sql, ...values]: Query): Promise<Row[]> {
    const statement = statements.get(sql) ?? prepareOn(sql)
    statements.set(sql, statement)
    try {
      return (await statement(client, ...values)) as Row[]
    } catch (error) {
      // Not to be sent again: its client gets a response sooner.
      if (!isRowLocked(error, 'idempotency_keys')) throw error
      throw new KeyInUse('Another instance is using the idempotency key.', { cause: error })
    }
  }

  return {
    dialect,
    read: (...query) => read((client) => run(client, query)),
    write: <Row>(first: Query, ...others: readonly Query[]) => {
      // A single statement needs no transaction, and leaves none open if the connection is lost.
      if (others.length === 0) return write((client) => run<Row>(client, first))
      return write(
        inTransaction(async (client) => {
          const rows = await run<Row>(client, first)
          if (rows.length > 0) for (const query of others) await run(client, query)
          return rows
        }),
      )
    },
  }
}

// Claims an idempotency key and adds a pet with it: both or neither, in one round trip. If the key
// was used, it takes no id from the sequence, so that repetitions leave no gaps. The key may still be
// there although it has expired.
const insertOnce = `
  WITH claim AS (
    INSERT INTO idempotency_keys (caller_id, key, fingerprint, expires_at, animal_id)
    SELECT $1::text, $2::text, $3::text, $4::bigint,
      nextval(pg_get_serial_sequence('animals', 'id'))
    WHERE NOT EXISTS (
      SELECT 1 FROM idempotency_keys
      WHERE caller_id = $1 AND key = $2 AND expires_at > $5::bigint
    )
    ON CONFLICT (caller_id, key) DO UPDATE SET
      fingerprint = excluded.fingerprint,
      expires_at = excluded.expires_at,
      animal_id = excluded.animal_id
    WHERE idempotency_keys.expires_at <= $5
    RETURNING animal_id
  )
  INSERT INTO animals (id, name, category_id, status)
  SELECT animal_id, $6::text, $7::bigint, $8::text FROM claim
  RETURNING id`

const dialect: Dialect = {
  insertOnce: (pet, { callerId, key, fingerprint, expiresAt }, now) => {
    const claim = [callerId, key, fingerprint, expiresAt, now] as const
    return [[insertOnce, ...claim, pet.name, pet.category_id, pet.status]]
  },
  // The columns get their types from the table.
  insertPets: `INSERT INTO animals (${newColumns.join(', ')}) SELECT ${newColumns.join(', ')}
    FROM ROWS FROM (json_populate_recordset(NULL::animals, $1)) WITH ORDINALITY ORDER BY ordinality`,
  // With `status = $1 ORDER BY id` the planner may read all pets by id and skip other statuses: a rare
  // status would cost the whole table. In the order of status and id there is one way only, from a
  // position in that index to the end of the status.
  pageWithStatus: 'WHERE (status, id) > ($1, $2) AND status <= $1 ORDER BY status, id LIMIT $3',
  // The row of the last position is locked until the commit.
  insertKey: `
    WITH next AS (
      UPDATE positions SET last = last + 1 WHERE name = 'api_keys' RETURNING last
    )
    INSERT INTO api_keys (position, ${keyColumns.join(', ')})
    VALUES ((SELECT last FROM next), ${keyColumns.map((_, index) => `$${index + 1}`).join(', ')})`,
  isFirstKey: "SELECT last FROM positions WHERE name = 'api_keys' AND last = 0 FOR UPDATE",
  selectUses: `SELECT * FROM json_to_recordset($1)
    AS uses ("keyId" text, day bigint, requests bigint, "lastUsedAt" bigint)`,
  max: 'greatest',
  skipLocked: 'FOR UPDATE SKIP LOCKED',
}
