import type { DatabaseSync } from 'node:sqlite'
import { keyColumns, toRecord, toRow } from '../key-row.ts'
import type { KeyRecord, KeyStore } from '../key-store.ts'
import type { ApiKeysTable } from '../tables.ts'
import type { Database } from './database.ts'
import { guarded } from './faults.ts'
import { prepare } from './statement.ts'
import type { WriteQueue } from './write-queue.ts'

/** Keeps API keys in SQLite. */
export function createKeyStore({ connection }: Database, write: WriteQueue): KeyStore {
  const statements = prepareStatements(connection)
  const add = (record: KeyRecord) => statements.insert.run(...Object.values(toRow(record)))
  return {
    add: (record) => write(() => add(record)),
    addFirst: (record) =>
      write(() => {
        const isFirst = statements.any.get() === undefined
        if (isFirst) add(record)
        return isFirst
      }),
    find: (id) => guarded(() => statements.byId.all(id).map(toRecord)[0]),
    findByDigest: (digest) => guarded(() => statements.byDigest.all(digest).map(toRecord)[0]),
    digestsAfter: (position, limit) =>
      guarded(() => {
        const rows = statements.after.all(position, limit)
        return {
          digests: rows.map(({ digest }) => digest),
          position: rows.at(-1)?.position ?? position,
        }
      }),
    list: () => guarded(() => statements.all.all().map(toRecord)),
    revoke: (id, at) => write(() => statements.revoke.run(at, id)),
    replace: (id, { expiresAt = null, revokedAt = null }, successor) =>
      write(() => {
        const ended = statements.end.get(expiresAt, revokedAt, successor.id, id)
        if (ended === undefined) return false
        add(successor)
        return true
      }),
  }
}

function prepareStatements(connection: DatabaseSync) {
  const select = (rest: string) =>
    prepare<ApiKeysTable>(connection, `SELECT * FROM api_keys ${rest}`)
  return {
    byId: select('WHERE id = ?'),
    byDigest: select('WHERE digest = ?'),
    all: select('ORDER BY created_at, position'),
    after: select('WHERE position > ? ORDER BY position LIMIT ?'),
    any: select('LIMIT 1'),
    revoke: prepare(
      connection,
      'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
    ),
    end: prepare(
      connection,
      `UPDATE api_keys SET expires_at = ?, revoked_at = ?, replaced_by = ?
        WHERE id = ? AND replaced_by IS NULL AND revoked_at IS NULL RETURNING id`,
    ),
    insert: prepare(
      connection,
      `INSERT INTO api_keys (${keyColumns.join(', ')})
        VALUES (${keyColumns.map(() => '?').join(', ')})`,
    ),
  }
}
