import { createPostgresDatabase } from './postgres-database.ts'
import { createSqliteDatabase } from './sqlite-database.ts'

/** What a store can be kept in. */
export const engines = [
  { name: 'SQLite', createTestDatabase: () => createSqliteDatabase() },
  { name: 'PostgreSQL', createTestDatabase: createPostgresDatabase },
]
