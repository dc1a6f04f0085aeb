import { chownSync, existsSync, renameSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../errors.ts'
import { copyDatabase, DamagedCopy, type OnCopied } from './backup.ts'
import { createFolder, ownerOf, restrictFiles } from './database-file.ts'
import { isBusy, isDamage } from './errors.ts'

/** Milliseconds that a command on the database may take to end. */
const busyTimeout = 2_000

/**
 * Replaces a database that is not in service by a copy of a backup. Renames the old one together
 * with its write-ahead log, which SQLite would otherwise apply to the new one; returns its new name.
 */
export async function restore(
  backup: string,
  file: string,
  onCopied: OnCopied,
): Promise<string | undefined> {
  if (ownerOf(backup) !== 'ours') throw new StoreError(`${backup} is not a backup of a store.`)
  const replaced = statSync(file, { throwIfNoEntry: false })
  if (replaced === undefined) createFolder(dirname(file))
  const stamp = new Date().toISOString().replaceAll(/[-:]|\..*$/g, '')
  const aside = `${file}.replaced-${stamp}`
  try {
    await copyDatabase(backup, file, onCopied, () => {
      if (replaced !== undefined) assertNotInUse(file)
      for (const ending of ['-wal', '-shm', '']) {
        if (existsSync(file + ending)) renameSync(file + ending, aside + ending)
      }
    })
  } catch (error) {
    if (!(error instanceof DamagedCopy)) throw error
    throw new StoreError(`The backup ${backup} is damaged (${error.message}). Take another one.`)
  }
  giveTo(file, replaced)
  if (replaced === undefined) return undefined
  restrictFiles(aside)
  return aside
}

// Leaving WAL mode needs the database for itself, and writes the log into it.
function assertNotInUse(file: string): void {
  const owner = ownerOf(file)
  if (owner === 'nobody') return
  if (owner === 'another') {
    throw new StoreError(`The database ${file} belongs to another program. Look at DATABASE_URL.`)
  }
  using connection = new DatabaseSync(file, { timeout: busyTimeout })
  try {
    connection.exec('PRAGMA journal_mode = DELETE')
  } catch (cause) {
    // A damaged database is kept as it is.
    if (isDamage(cause)) return
    if (!isBusy(cause)) throw cause
    const message = `The database ${file} is in use. Stop the service, and run the same command again.`
    throw new StoreError(message, { cause })
  }
}

// The user who restores, perhaps root, need not be the user of the service.
function giveTo(file: string, replaced: Stats | undefined): void {
  const { uid, gid } = replaced ?? statSync(dirname(file))
  if (process.getuid?.() === 0) chownSync(file, uid, gid)
}
