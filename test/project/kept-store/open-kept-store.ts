import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPostgresDatabase } from '../../helpers/databases/postgres-database.ts'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import type { TestDatabase } from '../../helpers/databases/test-database.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import type { KeptStore } from './kept-stores.ts'

/** Writes a kept store as the service left it: an SQLite database with its write-ahead log. */
export function openKeptSqlite({ unpack }: KeptStore): Promise<TestDatabase> {
  const folder = createTemporaryFolder()
  for (const name of ['store.sqlite', 'store.sqlite-wal']) {
    writeFileSync(join(folder, name), unpack(name))
  }
  return createSqliteDatabase(folder)
}

/** Restores a kept store in a schema of its own on PostgreSQL. */
export async function openKeptPostgres({ unpack }: KeptStore): Promise<TestDatabase> {
  const db = await createPostgresDatabase()
  const dump = unpack('postgres.sql').toString()
  // Lines with a backslash are commands to psql; the schema is the test's own.
  const sql = dump.replaceAll(/^\\.*$/gm, '').replaceAll(/\bpublic\./g, '')
  await db.execute(sql.replace(/^SELECT pg_catalog.set_config\('search_path'.*$/m, ''))
  return db
}
