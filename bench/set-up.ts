import { once } from 'node:events'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { schema } from '../server/api/schema.ts'
import { issueKey } from '../server/security/api-key.ts'
import { openStore } from '../server/store/store.ts'
import { type Delivered, type Order, petCount } from './load.ts'
import { createFolder, pinned, start } from './processes.ts'

/** A store with pets, and an API key. */
export type Database = Awaited<ReturnType<typeof createDatabase>>

/** Creates a SQLite store with pets, and an API key whose limits no load reaches. */
export async function createDatabase() {
  const file = join(createFolder(), 'store.sqlite')
  const store = await openStore(`sqlite:${file}`, schema)
  const limits = { plan: 'enterprise', perMinute: 1e9, perDay: 1e9 } as const
  const { key, record } = issueKey({ name: 'bench', expiresAt: undefined, ...limits })
  await store.keys.add(record)
  await store.close()

  const connection = new DatabaseSync(file)
  connection.exec(`WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${petCount})
    INSERT INTO pets (name, category_id, status)
    SELECT 'a name of ordinary length', n, CASE WHEN n % 2 = 0 THEN 'available' ELSE 'sold' END FROM s`)
  connection.exec('ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)')
  connection.close()

  let copies = 0
  return {
    key,
    /** Returns the URL of a new copy. */
    copy(): string {
      copies++
      const copy = `${file}-${copies}`
      copyFileSync(file, copy)
      return `sqlite:${copy}`
    },
  }
}

/** Starts the process of the load; returns a function that has it send requests. */
export function startLoad() {
  const program = fileURLToPath(new URL('./load.ts', import.meta.url))
  const child = start(pinned('load', [process.execPath, program]), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })

  return async (order: Order): Promise<Delivered> => {
    const delivered = once(child, 'message')
    child.send(order)
    const [message]: readonly (Delivered | { readonly error: string })[] = await delivered
    if (message === undefined || 'error' in message) {
      throw new Error(message?.error)
    }
    return message
  }
}
