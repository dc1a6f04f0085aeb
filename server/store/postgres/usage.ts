import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'
import { addedRequests, toKeyUse } from '../usage-row.ts'
import type { KeyUse, UsageStore } from '../usage-store.ts'
import type { Database } from './database.ts'
import { prepare } from './statement.ts'

/** Keeps the use of keys in PostgreSQL. */
export function createUsageStore({ read, write, queries }: Database): UsageStore {
  const add = prepare(write, addUses(queries))
  const all = prepare(
    read,
    queries.selectFrom('key_usage').select(['key_id', 'day', 'requests', 'last_used_at']),
  )
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
function addUses(queries: Kysely<Tables>) {
  const uses = sql<Tables['key_usage']>`(SELECT *
    FROM unnest(${[]}::text[], ${[]}::bigint[], ${[]}::bigint[], ${[]}::bigint[])
    AS use (key_id, day, requests, last_used_at))`.as('uses')
  return queries
    .insertInto('key_usage')
    .columns(['key_id', 'day', 'requests', 'last_used_at'])
    .expression((db) => db.selectFrom(uses).select(['key_id', 'day', 'requests', 'last_used_at']))
    .onConflict((conflict) =>
      conflict.column('key_id').doUpdateSet({
        requests: addedRequests,
        day: sql<number>`greatest(key_usage.day, excluded.day)`,
        last_used_at: sql<number>`greatest(key_usage.last_used_at, excluded.last_used_at)`,
      }),
    )
}
