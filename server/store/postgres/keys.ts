import { type KeyRow, keyColumns, toRecord, toRow } from '../key-row.ts'
import type { KeyRecord, KeyStore } from '../key-store.ts'
import type { ApiKeysTable } from '../tables.ts'
import type { Database } from './database.ts'
import { insertKey } from './insert-key.ts'
import { prepare, prepareOn, type Value } from './statement.ts'
import { inTransaction } from './transaction.ts'

/** Keeps API keys in PostgreSQL. */
export function createKeyStore({ read, write }: Database): KeyStore {
  const select = `SELECT ${keyColumns.join(', ')} FROM api_keys`
  const byId = prepare<KeyRow>(read, `${select} WHERE id = $1`)
  const byDigest = prepare<KeyRow>(read, `${select} WHERE digest = $1`)
  const all = prepare<KeyRow>(read, `${select} ORDER BY created_at, position`)
  const after = prepare<Pick<ApiKeysTable, 'position' | 'digest'>>(
    read,
    'SELECT position, digest FROM api_keys WHERE position > $1 ORDER BY position LIMIT $2',
  )
  const revoke = prepare(
    write,
    'UPDATE api_keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL',
  )
  const end = prepareOn(
    `UPDATE api_keys SET expires_at = $1, revoked_at = $2, replaced_by = $3
      WHERE id = $4 AND replaced_by IS NULL AND revoked_at IS NULL RETURNING id`,
  )
  const insert = prepareOn(insertKey())
  const insertFirst = prepare(write, insertKey({ onlyFirst: true }))
  return {
    add: async (record) => void (await write((client) => insert(client, ...valuesOf(record)))),
    addFirst: async (record) => (await insertFirst(...valuesOf(record))).length > 0,
    find: async (id) => (await byId(id)).map(toRecord)[0],
    findByDigest: async (digest) => (await byDigest(digest)).map(toRecord)[0],
    async digestsAfter(position, limit) {
      const rows = await after(position, limit)
      return {
        digests: rows.map(({ digest }) => digest),
        position: rows.at(-1)?.position ?? position,
      }
    },
    list: async () => (await all()).map(toRecord),
    revoke: async (id, at) => void (await revoke(at, id)),
    replace: (id, { expiresAt = null, revokedAt = null }, successor) =>
      write(
        inTransaction(async (client) => {
          // Rotations of the same key wait here for each other: the first one wins.
          const ended = await end(client, expiresAt, revokedAt, successor.id, id)
          if (ended.length === 0) return false
          await insert(client, ...valuesOf(successor))
          return true
        }),
      ),
  }
}

function valuesOf(record: KeyRecord): Value[] {
  return Object.values(toRow(record))
}
