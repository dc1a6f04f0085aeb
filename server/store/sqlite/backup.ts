import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { StoreError } from '../errors.ts'
import { damaged, isBusy, isDamage } from './errors.ts'
import { createFolder, findDamage, ownerOf, ownerOnly, restrictFiles } from './file.ts'

/** Pages that are copied at a time: two megabytes. */
const pagesAtATime = 512
/** Milliseconds that a command waits for a lock of another process. */
const busyTimeout = 5_000

/** Called with the number of pages that are copied, and of all; it throws to stop the copy. */
export type OnCopied = (done: number, all: number) => void

/**
 * Copies a database of ours, in service or not, to a file that appears when it is complete. Replaces
 * a file only if asked to. Returns the size of the copy in bytes.
 */
export async function backUp(
  file: string,
  target: string,
  replace: boolean,
  onCopied: OnCopied,
): Promise<number> {
  if (ownerOf(file) !== 'ours') throw new StoreError(`${file} is not the database of a store.`)
  assertReplaceable(file, target, replace)
  const partial = await copyDatabase(file, target, onCopied, (damage) => damaged(file, damage))
  try {
    // The target may have appeared during the copy.
    assertReplaceable(file, target, replace)
    moveTo(target, partial)
  } finally {
    rmSync(partial, { force: true })
  }
  return statSync(target).size
}

function assertReplaceable(file: string, target: string, replace: boolean): void {
  if (!existsSync(target)) return
  const [database, found] = [statSync(file), statSync(target)]
  if (found.ino === database.ino && found.dev === database.dev) {
    throw new StoreError(`${target} is the database itself. Name another file.`)
  }
  if (!found.isFile()) throw new StoreError(`${target} is not a file. Name another one.`)
  if (replace) return
  throw new StoreError(`${target} is there already. Name another file, or add --replace.`)
}

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
  createFolder(dirname(file))
  const partial = await copyDatabase(backup, file, onCopied, (damage) => {
    return new StoreError(`The backup ${backup} is damaged (${damage}). Take another one.`)
  })
  const stamp = new Date().toISOString().replaceAll(/[-:]|\..*$/g, '')
  const aside = `${file}.replaced-${stamp}`
  try {
    if (replaced !== undefined) assertNotInUse(file)
    for (const ending of ['-wal', '-shm', '']) {
      if (existsSync(file + ending)) renameSync(file + ending, aside + ending)
    }
    moveTo(file, partial)
  } finally {
    rmSync(partial, { force: true })
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

/**
 * Copies a database as it is at one moment to a file beside `target`, checks the copy, and returns
 * its name. A failure leaves nothing behind.
 */
async function copyDatabase(
  file: string,
  target: string,
  onCopied: OnCopied,
  toDamageError: (damage: string) => StoreError,
): Promise<string> {
  const partial = `${target}.${process.pid}.partial`
  // Whoever can read the copy can read the store.
  closeSync(openSync(partial, 'wx', ownerOnly))
  try {
    using source = new DatabaseSync(file, { timeout: busyTimeout })
    // One snapshot: without it, every commit of another process would restart the copy.
    source.exec('BEGIN; SELECT count(*) FROM sqlite_schema')
    await backup(source, partial, {
      rate: pagesAtATime,
      progress: ({ totalPages, remainingPages }) =>
        onCopied(totalPages - remainingPages, totalPages),
    })
    using copy = new DatabaseSync(partial)
    const damage = findDamage(copy, 'integrity_check')
    if (damage !== undefined) throw toDamageError(damage)
    // Marks the file as complete without a write-ahead log.
    copy.exec('PRAGMA journal_mode = DELETE')
    return partial
  } catch (error) {
    rmSync(partial, { force: true })
    throw isDamage(error) && error instanceof Error ? toDamageError(error.message) : error
  } finally {
    for (const ending of ['-journal', '-wal', '-shm']) rmSync(partial + ending, { force: true })
  }
}

/** Moves a copy to its place, so that it survives a crash. */
function moveTo(target: string, partial: string): void {
  syncToDisk(partial)
  renameSync(partial, target)
  syncToDisk(dirname(target))
}

function syncToDisk(name: string): void {
  const descriptor = openSync(name, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
