import { randomUUID } from 'node:crypto'
import { describe } from 'vitest'
import { createPostgresDatabase } from './postgres-database.ts'
import { useDatabases } from './test-database.ts'

/** Runs the tests of other files once more in the file that calls it, and its own tests, on PostgreSQL. */
export function repeatOnPostgres(files: readonly string[]): void {
  useDatabases(createPostgresDatabase)
  describe('on PostgreSQL', async () => {
    for (const file of files) {
      // Test files share their modules: without a query, a file that has run before would add no test.
      await import(`${file}?repeat=${randomUUID()}`)
    }
  })
}
