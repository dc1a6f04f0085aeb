import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { StoreUnavailable } from '../errors.ts'
import { besides } from './database-file.ts'

/**
 * Returns a function that throws a `StoreUnavailable` if the files of a database were moved, deleted
 * or replaced since it was opened. SQLite itself would continue to write to files without a name.
 */
export function createIdentityCheck(connection: DatabaseSync, file: string): () => void {
  const readIdentities = () => besides.map((ending) => identityOf(file + ending))
  const database = identityOf(file)
  let opened = readIdentities()
  return () => {
    if (database === undefined) return
    if (identityOf(file) !== database) {
      throw new StoreUnavailable(
        `The database file ${file} was moved or deleted. Put it back where it was. ` +
          'To use another one in its place, restart the service.',
      )
    }
    const found = readIdentities()
    const changed = besides.filter((_, index) => found[index] !== opened[index])
    if (changed.length === 0 || connection.isTransaction) return
    for (const ending of changed) assertEmpty(file + ending)
    // The deleted log is still open here, and complete: write it to the database, and begin another.
    connection.exec(
      'PRAGMA journal_mode = DELETE; PRAGMA journal_mode = WAL; SELECT 1 FROM animals LIMIT 1',
    )
    opened = readIdentities()
  }
}

function identityOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found && `${found.dev} ${found.ino}`
}

// A new log with content has writes of another program that this process does not know.
function assertEmpty(file: string): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return
  throw new StoreUnavailable(
    `The file ${file} was removed, and another program has made a new one. ` +
      'Put the first one back, or restart the service without what it wrote there last.',
  )
}
