import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { repeatOnPostgres } from '../helpers/databases/repeat-on-postgres.ts'

/** What does not depend on the engine. */
const onOneEngine = ['docs-samples.process.test.ts', basename(import.meta.filename)]

// The other tests of this folder once more, with their pets in PostgreSQL.
const files = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.test.ts') && !name.endsWith('.long.test.ts'))
  .filter((name) => !onOneEngine.includes(name))
  .map((name) => join(import.meta.dirname, name))

repeatOnPostgres(files)
