import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { StoreUnavailable } from '../store-unavailable.ts'

/** What SQLite keeps beside a database: its write-ahead log, and what it notes of that. */
export const besides = ['-wal', '-shm'] as const

/**
 * Makes a check that the files of a database are those that were opened, neither moved nor deleted;
 * it throws a `StoreUnavailable`. SQLite itself would go on writing to files that have no name.
 */
export function createPlaceCheck(connection: DatabaseSync, file: string): () => void {
  const database = identityOf(file)
  let opened = besides.map((ending) => identityOf(file + ending))
  return () => {
    if (database === undefined) return
    if (identityOf(file) !== database) {
      throw new StoreUnavailable(
        `The database file ${file} was moved or deleted. Put it back where it was. ` +
          'To use another one in its place, restart the service.',
      )
    }
    const found = besides.map((ending) => identityOf(file + ending))
    const isInPlace = found.every((identity, index) => identity === opened[index])
    if (isInPlace || connection.isTransaction) return
    for (const [index, ending] of besides.entries()) {
      if (found[index] !== opened[index]) assertEmpty(file + ending)
    }
    renewLog(connection)
    opened = besides.map((ending) => identityOf(file + ending))
  }
}

function identityOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found && `${found.dev} ${found.ino}`
}

// Another program that came since has written what the service does not know of.
function assertEmpty(file: string): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return
  throw new StoreUnavailable(
    `The file ${file} was removed, and another program has made a new one. ` +
      'Put the first one back, or restart the service without what it wrote there last.',
  )
}

// Somebody removed the log. It is still open here, whole: it goes into the database, and another one
// is begun.
function renewLog(connection: DatabaseSync): void {
  connection.exec(`
    PRAGMA journal_mode = DELETE;
    PRAGMA journal_mode = WAL;
    SELECT 1 FROM animals LIMIT 1;
  `)
}
