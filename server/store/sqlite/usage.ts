import { sql } from 'kysely'
import type { UsageStore } from '../usage-store.ts'
import type { Database } from './database.ts'
import { guarded } from './faults.ts'
import { prepare } from './statement.ts'
import type { WriteQueue } from './write-queue.ts'

/** Keeps the use of keys in SQLite. */
export function createUsageStore({ connection, queries }: Database, write: WriteQueue): UsageStore {
  const row = { key_id: '', day: 0, requests: 0, last_used_at: 0 }
  // A day that is over is replaced by the next; one that arrives late changes nothing.
  const requests = sql<number>`CASE
    WHEN excluded.day = key_usage.day THEN key_usage.requests + excluded.requests
    WHEN excluded.day > key_usage.day THEN excluded.requests
    ELSE key_usage.requests END`
  const add = prepare(
    connection,
    queries
      .insertInto('key_usage')
      .values(row)
      .onConflict((conflict) =>
        conflict.column('key_id').doUpdateSet({
          requests,
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
    list: () =>
      guarded(() =>
        all.all().map(({ key_id: keyId, day, requests, last_used_at: lastUsedAt }) => ({
          keyId,
          day,
          requests,
          lastUsedAt,
        })),
      ),
  }
}
