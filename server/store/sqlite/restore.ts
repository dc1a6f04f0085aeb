import { chownSync, existsSync, renameSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../errors.ts'
import { besides, createFolder, ownerOf, restrictFiles } from './database-file.ts'
import { isBusy, isDamage } from './errors.ts'
import { CopyDamaged, copyWhole, type TellCopied } from './whole-copy.ts'

/** Milliseconds in which a command that uses the database may come to its end. */
const patience = 2_000

/**
 * Puts a copy of a backup in the place of a database that is not in service. What was there is put
 * aside, with what SQLite keeps beside it: a log of the one would be taken for a log of the other.
 * Gives the name that it has then.
 */
export async function restore(
  backup: string,
  file: string,
  tell: TellCopied,
): Promise<string | undefined> {
  if (ownerOf(backup) !== 'ours') throw new StoreError(`${backup} is not a backup of a store.`)
  const replaced = statSync(file, { throwIfNoEntry: false })
  if (replaced === undefined) createFolder(dirname(file))
  const copy = await copyWhole(backup, file, tell).catch((error: unknown) => {
    if (!(error instanceof CopyDamaged)) throw error
    throw new StoreError(`The backup ${backup} is damaged (${error.message}). Take another one.`)
  })
  const stamp = new Date().toISOString().replaceAll(/[-:]|\..*$/g, '')
  const aside = `${file}.replaced-${stamp}`
  try {
    if (replaced !== undefined) release(file)
    for (const ending of [...besides, '']) {
      if (existsSync(file + ending)) renameSync(file + ending, aside + ending)
    }
    if (replaced !== undefined) restrictFiles(aside)
    copy.putAt(file)
    giveTo(file, replaced)
  } finally {
    copy.drop()
  }
  return replaced === undefined ? undefined : aside
}

// Nobody else has it open, and all of it is in one file, or it could not be opened at all.
function release(file: string): void {
  const owner = ownerOf(file)
  if (owner === 'nobody') return
  if (owner === 'another') {
    throw new StoreError(`The database ${file} belongs to another program. Look at DATABASE_URL.`)
  }
  const connection = new DatabaseSync(file, { timeout: patience })
  try {
    connection.exec('PRAGMA journal_mode = DELETE')
  } catch (cause) {
    if (isBusy(cause)) {
      throw new StoreError(
        `The database ${file} is in use. Stop the service, and run the same command again.`,
        { cause },
      )
    }
    if (!isDamage(cause)) throw cause
  } finally {
    connection.close()
  }
}

// Whoever restores, perhaps root, need not be whoever runs the service.
function giveTo(file: string, replaced: Stats | undefined): void {
  const { uid, gid } = replaced ?? statSync(dirname(file))
  if (process.getuid?.() === 0) chownSync(file, uid, gid)
}
