import { toRecord, toRow } from '../key-row.ts'
import type { KeyRecord, KeyStore } from '../key-store.ts'
import type { Database } from './database.ts'
import { insertKey, keyColumns } from './insert-key.ts'
import { prepare, prepareOn, type Value } from './statement.ts'
import { inTransaction } from './transaction.ts'

/** Keeps API keys in PostgreSQL. */
export function createKeyStore({ read, write, queries }: Database): KeyStore {
  const keys = queries.selectFrom('api_keys').select(keyColumns)
  const byId = prepare(read, keys.where('id', '=', ''))
  const byDigest = prepare(read, keys.where('digest', '=', new Uint8Array()))
  const all = prepare(read, keys.orderBy('created_at').orderBy('position'))
  const digests = queries.selectFrom('api_keys').select(['position', 'digest'])
  const after = prepare(read, digests.where('position', '>', 0).orderBy('position').limit(1))
  const update = queries.updateTable('api_keys').where('id', '=', '')
  const revoke = prepare(write, update.set({ revoked_at: 0 }).where('revoked_at', 'is', null))
  const end = prepareOn(update.set({ expires_at: 0, replaced_by: '' }))
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
    replace: (id, endsAt, successor) =>
      write(
        inTransaction(async (client) => {
          await insert(client, ...valuesOf(successor))
          await end(client, endsAt, successor.id, id)
        }),
      ),
  }
}

function valuesOf(record: KeyRecord): Value[] {
  return Object.values(toRow(record))
}
