import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createTemporaryFolder } from '../temporary-folder.ts'
import type { TestDatabase } from './test-database.ts'

/** Creates a database in a file of its own, in a folder that may be given. */
export async function createSqliteDatabase(
  folder = createTemporaryFolder(),
): Promise<TestDatabase & { readonly file: string }> {
  const file = join(folder, 'store.sqlite')
  // A statement of a test waits for the locks of a service.
  const open = () => new DatabaseSync(file, { timeout: 60_000 })
  return {
    file,
    url: `sqlite:${file}`,
    async execute(sql) {
      using database = open()
      return database.prepare(sql).all()
    },
    async blockWriters() {
      const database = open()
      database.exec('BEGIN IMMEDIATE')
      return async () => database.close()
    },
  }
}
