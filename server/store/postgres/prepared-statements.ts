import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from 'pg'
import { prepareOn } from './statement.ts'

/** Milliseconds after which a second backend is not waited for: the pooler has but one. */
const timeout = 250

/**
 * Rejects where a pooler does not keep the prepared statements of a connection, as PgBouncer before
 * 1.21 in transaction mode. The second connection holds the backend that prepared a statement for the
 * first one, which such a pooler then gives another backend.
 */
export async function assertPreparedStatements(pool: Pool): Promise<void> {
  const select = prepareOn('SELECT 1')
  const first = await pool.connect()
  try {
    await select(first)
    const second = await pool.connect()
    try {
      await second.query('BEGIN')
      const selecting = select(first)
      await Promise.race([selecting, wait(timeout, undefined, { ref: false })])
      await second.query('ROLLBACK')
      await selecting
    } finally {
      second.release()
    }
  } finally {
    first.release()
  }
}
