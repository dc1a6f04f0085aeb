import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { onTestFinished } from 'vitest'
import type { CreatePlace, Place } from './place.ts'
import { createPostgresPlace, placeAt } from './postgres-place.ts'
import { whyNoPostgres } from './postgres-server.ts'
import { createSqlitePlace } from './sqlite-place.ts'

export interface Engine {
  readonly name: string
  readonly createPlace: CreatePlace
  /** Why nothing can be kept from happening beside what is happening, where that is so. */
  readonly whyOneAtATime?: string
}

/** A store in PGlite, behind its socket server: one backend, which all connections share. */
async function createPglitePlace(): Promise<Place> {
  const db = await PGlite.create()
  const server = new PGLiteSocketServer({ db, port: 0, maxConnections: 50 })
  await server.start()
  onTestFinished(async () => {
    await server.stop()
    await db.close()
  })
  return placeAt(`postgres://postgres@${server.getServerConn()}/postgres`)
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
