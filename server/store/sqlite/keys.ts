import { anyRow, toRecord, toRow } from '../key-row.ts'
import type { KeyRecord, KeyStore } from '../key-store.ts'
import type { Database } from './database.ts'
import { guarded } from './faults.ts'
import { prepare } from './statement.ts'
import type { WriteQueue } from './write-queue.ts'

/** Keeps API keys in SQLite. */
export function createKeyStore({ connection, queries }: Database, write: WriteQueue): KeyStore {
  const keys = queries.selectFrom('api_keys').selectAll()
  const byId = prepare(connection, keys.where('id', '=', ''))
  const byDigest = prepare(connection, keys.where('digest', '=', new Uint8Array()))
  const all = prepare(connection, keys.orderBy('created_at').orderBy('position'))
  const digests = queries.selectFrom('api_keys').select(['position', 'digest'])
  const next = digests.where('position', '>', 0).orderBy('position').limit(1)
  const after = prepare(connection, next)
  const update = queries.updateTable('api_keys').where('id', '=', '')
  const revoke = prepare(connection, update.set({ revoked_at: 0 }).where('revoked_at', 'is', null))
  const end = prepare(connection, update.set({ expires_at: 0, replaced_by: '' }))
  const insert = prepare(connection, queries.insertInto('api_keys').values(anyRow))
  const any = prepare(connection, queries.selectFrom('api_keys').select('id').limit(1))
  const add = (record: KeyRecord) => insert.run(...Object.values(toRow(record)))
  return {
    add: (record) => write(() => add(record)),
    addFirst: (record) =>
      write(() => {
        const isFirst = any.get(1) === undefined
        if (isFirst) add(record)
        return isFirst
      }),
    find: (id) => guarded(() => byId.all(id).map(toRecord)[0]),
    findByDigest: (digest) => guarded(() => byDigest.all(digest).map(toRecord)[0]),
    digestsAfter: (position, limit) =>
      guarded(() => {
        const rows = after.all(position, limit)
        return {
          digests: rows.map(({ digest }) => digest),
          position: rows.at(-1)?.position ?? position,
        }
      }),
    list: () => guarded(() => all.all().map(toRecord)),
    revoke: (id, at) => write(() => revoke.run(at, id)),
    replace: (id, endsAt, successor) =>
      write(() => {
        add(successor)
        end.run(endsAt, successor.id, id)
      }),
  }
}
