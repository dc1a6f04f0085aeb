import { sql } from 'kysely'
import { addedRequests, toKeyUse } from '../usage-row.ts'
import type { UsageStore } from '../usage-store.ts'
import type { Database } from './database.ts'
import { guarded } from './faults.ts'
import { prepare } from './statement.ts'
import type { WriteQueue } from './write-queue.ts'

/** Keeps the use of keys in SQLite. */
export function createUsageStore({ connection, queries }: Database, write: WriteQueue): UsageStore {
  const row = { key_id: '', day: 0, requests: 0, last_used_at: 0 }
  const add = prepare(
    connection,
    queries
      .insertInto('key_usage')
      .values(row)
      .onConflict((conflict) =>
        conflict.column('key_id').doUpdateSet({
          requests: addedRequests,
          day: sql<number>`max(key_usage.day, excluded.day)`,
          last_used_at: sql<number>`max(key_usage.last_used_at, excluded.last_used_at)`,
        }),
      ),
  )
  const all = prepare(connection, queries.selectFrom('key_usage').selectAll())
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
