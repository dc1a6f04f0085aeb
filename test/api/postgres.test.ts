import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe } from 'vitest'
import { createPostgresDatabase } from '../helpers/databases/postgres-database.ts'
import { useDatabases } from '../helpers/databases/test-database.ts'

/** What does not depend on the engine. */
const onOneEngine = ['docs-samples.process.test.ts', basename(import.meta.filename)]

// The other tests of this folder once more, with their pets in PostgreSQL.
const files = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.test.ts') && !name.endsWith('.long.test.ts'))
  .filter((name) => !onOneEngine.includes(name))
  .map((name) => join(import.meta.dirname, name))

useDatabases(createPostgresDatabase)
describe('on PostgreSQL', async () => {
  for (const file of files) {
    await import(file)
  }
})
