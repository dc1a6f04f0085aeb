import { DatabaseSync } from 'node:sqlite'
import type { Place } from '../../helpers/places/place.ts'
import { query } from '../../helpers/places/postgres-server.ts'

type Row = Readonly<Record<string, unknown>>

/** Whether a store is kept in an SQLite file. */
export function isSqlite({ url }: Pick<Place, 'url'>): boolean {
  return url.startsWith('sqlite:')
}

/** Runs a statement beside the service, in either database; returns its rows. */
export async function execute(place: Pick<Place, 'url'>, sql: string): Promise<readonly Row[]> {
  if (!isSqlite(place)) return query(place.url, sql)
  const database = new DatabaseSync(place.url.slice('sqlite:'.length))
  try {
    return database.prepare(sql).all()
  } finally {
    database.close()
  }
}
