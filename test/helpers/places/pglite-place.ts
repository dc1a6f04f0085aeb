import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { onTestFinished } from 'vitest'
import type { Place } from './place.ts'
import { placeAt } from './postgres-place.ts'

/** A store in PGlite, behind its socket server: one backend, which all connections share. */
export async function createPglitePlace(): Promise<Place> {
  const db = await PGlite.create()
  const server = new PGLiteSocketServer({ db, port: 0, maxConnections: 50 })
  await server.start()
  onTestFinished(async () => {
    await server.stop()
    await db.close()
  })
  return placeAt(`postgres://postgres@${server.getServerConn()}/postgres`)
}
