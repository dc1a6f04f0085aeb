import { describe } from 'vitest'
import { createPostgresDatabase } from '../helpers/databases/postgres-database.ts'
import { useDatabases } from '../helpers/databases/test-database.ts'

useDatabases(createPostgresDatabase)
describe('on PostgreSQL', async () => {
  await import('./conformance.test.ts')
})
