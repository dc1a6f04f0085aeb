import { createPglitePlace } from './pglite-place.ts'
import type { CreatePlace } from './place.ts'
import { createPostgresPlace } from './postgres-place.ts'
import { whyNoPostgres } from './postgres-server.ts'
import { createSqlitePlace } from './sqlite-place.ts'

export interface Engine {
  readonly name: string
  readonly createPlace: CreatePlace
  /** Why nothing can be kept from happening beside what is happening, where that is so. */
  readonly whyOneAtATime?: string
}

const pglite: Engine = {
  name: 'PGlite',
  createPlace: createPglitePlace,
  whyOneAtATime: `${whyNoPostgres}, and PGlite does one thing at a time`,
}

/** What a store can be kept in here. */
export const engines: readonly Engine[] = [
  { name: 'SQLite', createPlace: createSqlitePlace },
  whyNoPostgres === undefined ? { name: 'PostgreSQL', createPlace: createPostgresPlace } : pglite,
]
