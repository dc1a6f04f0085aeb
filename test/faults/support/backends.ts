import { setTimeout as wait } from 'node:timers/promises'
import { query } from '../../support/places/postgres-server.ts'

const others = `FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'animal-store'`

/** Ends every backend that serves a store, and says how many. */
export async function endBackends(url: string): Promise<number> {
  return (await query(url, `SELECT pg_terminate_backend(pid) ${others}`)).length
}

/** Ends the backends of a store that wait for a lock, as soon as there is one. */
export async function endWaitingBackend(url: string): Promise<void> {
  const waiting = `SELECT pg_terminate_backend(pid) ${others} AND wait_event_type = 'Lock'`
  while ((await query(url, waiting)).length === 0) await wait(5)
}
