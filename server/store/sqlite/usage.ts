import type { KeyUsageTable } from '../tables.ts'
import { addedRequests, toKeyUse } from '../usage-row.ts'
import type { UsageStore } from '../usage-store.ts'
import type { Database } from './database.ts'
import { guarded } from './faults.ts'
import { prepare } from './statement.ts'
import type { WriteQueue } from './write-queue.ts'

/** Keeps the use of keys in SQLite. */
export function createUsageStore({ connection }: Database, write: WriteQueue): UsageStore {
  const add = prepare(
    connection,
    `INSERT INTO key_usage (key_id, day, requests, last_used_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (key_id) DO UPDATE SET
        requests = ${addedRequests},
        day = max(key_usage.day, excluded.day),
        last_used_at = max(key_usage.last_used_at, excluded.last_used_at)`,
  )
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
