import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createTemporaryFolder } from '../temporary-folder.ts'
import type { TestDatabase } from './test-database.ts'

/** Milliseconds that a statement of a test waits for the locks of a service. */
const timeout = 60_000

/** Creates a database in a file of its own, in a folder that may be given. */
export async function createSqliteDatabase(
  folder = createTemporaryFolder(),
): Promise<TestDatabase & { readonly file: string }> {
  const file = join(folder, 'store.sqlite')
  const execute: TestDatabase['execute'] = async (sql) => {
    const database = new DatabaseSync(file, { enableForeignKeyConstraints: false, timeout })
    try {
      return database.prepare(sql).all()
    } finally {
      database.close()
    }
  }
  return {
    file,
    url: `sqlite:${file}`,
    execute,
    async blockWriters() {
      const database = new DatabaseSync(file, { timeout })
      database.exec('BEGIN IMMEDIATE')
      return async () => database.close()
    },
  }
}
