import type { KeyUsageTable } from '../tables.ts'
import { addedRequests, toKeyUse } from '../usage-row.ts'
import type { KeyUse, UsageStore } from '../usage-store.ts'
import type { Database } from './database.ts'
import { prepare } from './statement.ts'

/** Keeps the use of keys in PostgreSQL. */
export function createUsageStore({ read, write }: Database): UsageStore {
  const add = prepare(write, addUses)
  const all = prepare<KeyUsageTable>(read, 'SELECT * FROM key_usage')
  return {
    async add(uses) {
      const rows = lastOfEach(uses)
      await add(
        rows.map(({ keyId }) => keyId),
        rows.map(({ day }) => day),
        rows.map(({ requests }) => requests),
        rows.map(({ lastUsedAt }) => lastUsedAt),
      )
    },
    list: async () => (await all()).map(toKeyUse),
  }
}

// A statement may write a row once, and at midnight a key has two days: the last one is kept. In
// one order, so that instances wait for each other and never in a circle.
function lastOfEach(uses: readonly KeyUse[]): KeyUse[] {
  const inOrder = uses.toSorted((a, b) => a.day - b.day)
  const last = new Map(inOrder.map((use) => [use.keyId, use]))
  return [...last.values()].sort((a, b) => (a.keyId < b.keyId ? -1 : 1))
}

// A day that is over is replaced by the next; one that arrives late changes nothing.
const addUses = `
  INSERT INTO key_usage (key_id, day, requests, last_used_at)
  SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[])
  ON CONFLICT (key_id) DO UPDATE SET
    requests = ${addedRequests},
    day = greatest(key_usage.day, excluded.day),
    last_used_at = greatest(key_usage.last_used_at, excluded.last_used_at)`
