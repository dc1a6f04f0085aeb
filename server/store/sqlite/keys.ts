import {
  type KeyRecord,
  type KeyStore,
  keyColumns,
  keyValues,
  toDigests,
  toKeyRecord,
  toKeyUse,
  type UsageStore,
  upsertUsage,
} from '../key-store.ts'
import type { ApiKeysTable, KeyUsageTable } from '../tables.ts'
import type { Database } from './database.ts'
import { guarded } from './errors.ts'
import { prepare } from './statement.ts'
import type { Write } from './write-queue.ts'

/** Stores API keys in SQLite. */
export function createKeyStore({ connection }: Database, write: Write): KeyStore {
  const select = (rest: string) =>
    prepare<ApiKeysTable>(connection, `SELECT * FROM api_keys ${rest}`)
  const byId = select('WHERE id = ?')
  const byDigest = select('WHERE digest = ?')
  const all = select('ORDER BY created_at, position')
  const after = select('WHERE position > ? ORDER BY position LIMIT ?')
  const any = select('LIMIT 1')
  const revoke = prepare(
    connection,
    'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
  )
  const end = prepare(
    connection,
    `UPDATE api_keys SET expires_at = ?, revoked_at = ?, replaced_by = ?
      WHERE id = ? AND replaced_by IS NULL AND revoked_at IS NULL RETURNING id`,
  )
  const insert = prepare(
    connection,
    `INSERT INTO api_keys (${keyColumns.join(', ')})
      VALUES (${keyColumns.map(() => '?').join(', ')})`,
  )
  const add = (record: KeyRecord) => insert.run(...keyValues(record))
  return {
    add: (record) => write(() => add(record)),
    addFirst: (record) =>
      write(() => {
        const isFirst = any.get() === undefined
        if (isFirst) add(record)
        return isFirst
      }),
    find: (id) => guarded(() => byId.all(id).map(toKeyRecord)[0]),
    findByDigest: (digest) => guarded(() => byDigest.all(digest).map(toKeyRecord)[0]),
    digestsAfter: (position, limit) =>
      guarded(() => toDigests(after.all(position, limit), position)),
    list: () => guarded(() => all.all().map(toKeyRecord)),
    revoke: (id, at) => write(() => revoke.run(at, id)),
    replace: (id, { expiresAt = null, revokedAt = null }, successor) =>
      write(() => {
        if (end.get(expiresAt, revokedAt, successor.id, id) === undefined) return false
        add(successor)
        return true
      }),
  }
}

/** Stores the usage of keys in SQLite. */
export function createUsageStore({ connection }: Database, write: Write): UsageStore {
  const add = prepare(connection, upsertUsage('VALUES (?, ?, ?, ?)', 'max'))
  const all = prepare<KeyUsageTable>(connection, 'SELECT * FROM key_usage')
  return {
    add: (uses) =>
      write(() => {
        for (const { keyId, day, requests, lastUsedAt } of uses) {
          add.run(keyId, day, requests, lastUsedAt)
        }
      }),
    list: () => guarded(() => all.all().map(toKeyUse)),
  }
}
