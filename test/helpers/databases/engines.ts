import { createPostgresDatabase } from './postgres-database.ts'
import { createSqliteDatabase } from './sqlite-database.ts'
import type { CreateTestDatabase } from './test-database.ts'

interface Engine {
  readonly name: string
  readonly createTestDatabase: CreateTestDatabase
}

/** What a store can be kept in. */
export const engines: readonly Engine[] = [
  { name: 'SQLite', createTestDatabase: createSqliteDatabase },
  { name: 'PostgreSQL', createTestDatabase: createPostgresDatabase },
]
