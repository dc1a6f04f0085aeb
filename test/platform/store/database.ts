import type { Place } from '../../helpers/places/place.ts'

/** Whether a store is kept in an SQLite file. */
export function isSqlite({ url }: Pick<Place, 'url'>): boolean {
  return url.startsWith('sqlite:')
}
