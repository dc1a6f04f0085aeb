import {
  type KeyStore,
  type KeyUse,
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
import { inTransaction, prepare, prepareOn } from './statement.ts'

/** Stores API keys in PostgreSQL. */
export function createKeyStore({ read, write }: Database): KeyStore {
  const select = (rest: string) => prepare<ApiKeysTable>(read, `SELECT * FROM api_keys ${rest}`)
  const byId = select('WHERE id = $1')
  const byDigest = select('WHERE digest = $1')
  const all = select('ORDER BY created_at, position')
  const after = select('WHERE position > $1 ORDER BY position LIMIT $2')
  const lockPositions = prepareOn<{ last: number }>(
    "SELECT last FROM positions WHERE name = 'api_keys' FOR UPDATE",
  )
  const revoke = prepare(
    write,
    'UPDATE api_keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL',
  )
  const end = prepareOn(
    `UPDATE api_keys SET expires_at = $1, revoked_at = $2, replaced_by = $3
      WHERE id = $4 AND replaced_by IS NULL AND revoked_at IS NULL RETURNING id`,
  )
  // The row of the last position is locked until the commit.
  const insert = prepareOn(
    `WITH next AS (
      UPDATE positions SET last = last + 1 WHERE name = 'api_keys' RETURNING last
    )
    INSERT INTO api_keys (position, ${keyColumns.join(', ')})
    VALUES ((SELECT last FROM next), ${keyColumns.map((_, index) => `$${index + 1}`).join(', ')})`,
  )
  return {
    add: async (record) => void (await write((client) => insert(client, ...keyValues(record)))),
    addFirst: (record) =>
      write(
        inTransaction(async (client) => {
          const [position] = await lockPositions(client)
          if (position?.last !== 0) return false
          await insert(client, ...keyValues(record))
          return true
        }),
      ),
    find: async (id) => (await byId(id)).map(toKeyRecord)[0],
    findByDigest: async (digest) => (await byDigest(digest)).map(toKeyRecord)[0],
    digestsAfter: async (position, limit) => toDigests(await after(position, limit), position),
    list: async () => (await all()).map(toKeyRecord),
    revoke: async (id, at) => void (await revoke(at, id)),
    replace: (id, { expiresAt = null, revokedAt = null }, successor) =>
      write(
        inTransaction(async (client) => {
          // Of several rotations of a key, the others wait here for the first one.
          const ended = await end(client, expiresAt, revokedAt, successor.id, id)
          if (ended.length === 0) return false
          await insert(client, ...keyValues(successor))
          return true
        }),
      ),
  }
}

/** Stores the usage of keys in PostgreSQL. */
export function createUsageStore({ read, write }: Database): UsageStore {
  const rows = 'SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[])'
  const add = prepare(write, upsertUsage(rows, 'greatest'))
  const all = prepare<KeyUsageTable>(read, 'SELECT * FROM key_usage')
  return {
    async add(uses) {
      const last = lastOfEach(uses)
      await add(
        last.map(({ keyId }) => keyId),
        last.map(({ day }) => day),
        last.map(({ requests }) => requests),
        last.map(({ lastUsedAt }) => lastUsedAt),
      )
    },
    list: async () => (await all()).map(toKeyUse),
  }
}

// A statement can write a row once, and at midnight a key has two days: the later one is stored. In
// one order, so that instances cannot deadlock.
function lastOfEach(uses: readonly KeyUse[]): KeyUse[] {
  const inOrder = uses.toSorted((a, b) => a.day - b.day)
  const last = new Map(inOrder.map((use) => [use.keyId, use]))
  return [...last.values()].sort((a, b) => (a.keyId < b.keyId ? -1 : 1))
}
