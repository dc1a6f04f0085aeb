import type { DatabaseSync } from 'node:sqlite'
import { watchStatements } from '../../store/statements.ts'
import { createSqlitePlace } from '../../support/places/sqlite-place.ts'
import { startTestService, type TestService } from '../../support/service.ts'

/** A service in this process, with the connection that it has to its file. */
export interface WatchedService extends TestService {
  readonly connection: DatabaseSync
}

/** Starts a service on a database file. */
export async function startOnFile(file: string): Promise<WatchedService> {
  let connection: DatabaseSync | undefined
  const watch = (_: string, on: DatabaseSync): void => {
    connection = on
  }
  const place = { ...(await createSqlitePlace()), url: `sqlite:${file}` }
  const service = await watchStatements(watch, () => startTestService({}, place))
  if (connection === undefined) throw new Error('The service opened no database.')
  return { ...service, connection }
}
