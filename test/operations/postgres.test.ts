import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, test } from 'vitest'
import { createPostgresPlace } from '../support/places/postgres-place.ts'
import { whyNoPostgres } from '../support/places/postgres-server.ts'
import { useEngine } from '../support/places/usual-engine.ts'

// The tests of the operations once more, all that there are: their services keep animals elsewhere.
const files = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.test.ts') && name !== basename(import.meta.filename))
  .map((name) => join(import.meta.dirname, name))

if (whyNoPostgres === undefined) {
  useEngine({ createPlace: createPostgresPlace })
  for (const file of files) await import(file)
} else {
  describe('on PostgreSQL', () => {
    for (const file of files) test(basename(file), ({ skip }) => skip(whyNoPostgres))
  })
}
