import type { Selectable } from 'kysely'
import type { KeyRecord, KeyStore } from '../key-store.ts'
import type { Database } from './database.ts'
import { guarded } from './faults.ts'
import { prepare } from './statement.ts'
import type { ApiKeysTable } from './tables.ts'
import type { WriteQueue } from './write-queue.ts'

/** Keeps API keys in SQLite. */
export function createKeyStore({ connection, queries }: Database, write: WriteQueue): KeyStore {
  const keys = queries.selectFrom('api_keys').selectAll()
  const byId = prepare(connection, keys.where('id', '=', ''))
  const byDigest = prepare(connection, keys.where('digest', '=', new Uint8Array()))
  const all = prepare(connection, keys.orderBy('created_at').orderBy('position'))
  const digests = queries.selectFrom('api_keys').select(['position', 'digest'])
  const after = prepare(connection, digests.where('position', '>', 0).orderBy('position'))
  const update = queries.updateTable('api_keys').where('id', '=', '')
  const revoke = prepare(connection, update.set({ revoked_at: 0 }).where('revoked_at', 'is', null))
  const end = prepare(connection, update.set({ expires_at: 0, replaced_by: '' }))
  const insert = prepare(connection, queries.insertInto('api_keys').values(toRow(anyRecord)))
  return {
    add: (record) => write(() => insert.run(...Object.values(toRow(record)))),
    find: (id) => guarded(() => byId.all(id).map(toRecord)[0]),
    findByDigest: (digest) => guarded(() => byDigest.all(digest).map(toRecord)[0]),
    digestsAfter: (position) =>
      guarded(() => {
        const rows = after.all(position)
        return {
          digests: rows.map(({ digest }) => digest),
          position: rows.at(-1)?.position ?? position,
        }
      }),
    list: () => guarded(() => all.all().map(toRecord)),
    revoke: (id, at) => write(() => revoke.run(at, id)),
    replace: (id, endsAt, successor) =>
      write(() => {
        insert.run(...Object.values(toRow(successor)))
        end.run(endsAt, successor.id, id)
      }),
  }
}

// Stands in for the values while the SQL is written; `toRow` fixes their order.
const anyRecord: KeyRecord = {
  id: '',
  name: undefined,
  plan: '',
  perMinute: 0,
  perDay: 0,
  prefix: '',
  digest: new Uint8Array(),
  createdAt: 0,
  expiresAt: undefined,
  revokedAt: undefined,
  replacedBy: undefined,
}

function toRow(record: KeyRecord) {
  return {
    id: record.id,
    name: record.name ?? null,
    plan: record.plan,
    per_minute: record.perMinute,
    per_day: record.perDay,
    prefix: record.prefix,
    digest: record.digest,
    created_at: record.createdAt,
    expires_at: record.expiresAt ?? null,
    revoked_at: record.revokedAt ?? null,
    replaced_by: record.replacedBy ?? null,
  }
}

function toRecord(row: Selectable<ApiKeysTable>): KeyRecord {
  return {
    id: row.id,
    name: row.name ?? undefined,
    plan: row.plan,
    perMinute: row.per_minute,
    perDay: row.per_day,
    prefix: row.prefix,
    digest: row.digest,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    replacedBy: row.replaced_by ?? undefined,
  }
}
