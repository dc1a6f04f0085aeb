import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { onTestFinished } from 'vitest'
import { createPostgresDatabase, databaseAt } from './postgres-database.ts'
import { whyNoPostgres } from './postgres-server.ts'
import { createSqliteDatabase } from './sqlite-database.ts'
import type { CreateTestDatabase, TestDatabase } from './test-database.ts'

export interface Engine {
  readonly name: string
  readonly createTestDatabase: CreateTestDatabase
  /** Why nothing can be kept from happening beside what is happening, where that is so. */
  readonly whyOneAtATime?: string
}

/** A store in PGlite, behind its socket server: one backend, which all connections share. */
async function createPgliteDatabase(): Promise<TestDatabase> {
  const db = await PGlite.create()
  const server = new PGLiteSocketServer({ db, port: 0, maxConnections: 50 })
  await server.start()
  onTestFinished(async () => {
    await server.stop()
    await db.close()
  })
  return databaseAt(`postgres://postgres@${server.getServerConn()}/postgres`)
}

const pglite: Engine = {
  name: 'PGlite',
  createTestDatabase: createPgliteDatabase,
  whyOneAtATime: `${whyNoPostgres}, and PGlite does one thing at a time`,
}

/** What a store can be kept in here. */
export const engines: readonly Engine[] = [
  { name: 'SQLite', createTestDatabase: createSqliteDatabase },
  whyNoPostgres === undefined
    ? { name: 'PostgreSQL', createTestDatabase: createPostgresDatabase }
    : pglite,
]
