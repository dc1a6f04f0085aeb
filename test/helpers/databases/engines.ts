import { createPostgresDatabase } from './postgres-database.ts'
import { createSqliteDatabase } from './sqlite-database.ts'

/** The databases that a store can be in. */
export const engines = [
  { name: 'SQLite', createTestDatabase: () => createSqliteDatabase() },
  { name: 'PostgreSQL', createTestDatabase: createPostgresDatabase },
]
