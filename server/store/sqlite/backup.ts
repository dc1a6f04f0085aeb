import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { StoreError } from '../errors.ts'
import { ownerOf, ownerOnly } from './database-file.ts'
import { damaged, isDamage } from './errors.ts'

/** Pages that are copied at a time: two megabytes. */
const pagesAtATime = 512
/** Milliseconds that a copy waits for a lock of another process. */
const busyTimeout = 5_000

/** Called with the number of pages that are copied, and of all; it throws to stop the copy. */
export type OnCopied = (done: number, all: number) => void

/** A copy that is damaged, and so is the database that it was made of. */
export class DamagedCopy extends Error {}

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
  try {
    await copyDatabase(file, target, onCopied, () => assertReplaceable(file, target, replace))
  } catch (error) {
    throw error instanceof DamagedCopy ? damaged(file, error.message) : error
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
 * Copies a database as it is at one moment, checks the copy, and moves it to `target` after
 * `prepare`. Rejects with a `DamagedCopy` if it is damaged; a failure leaves nothing behind.
 */
export async function copyDatabase(
  file: string,
  target: string,
  onCopied: OnCopied,
  prepare: () => void,
): Promise<void> {
  const partial = `${target}.${process.pid}.partial`
  // Whoever can read the copy can read the store.
  closeSync(openSync(partial, 'wx', ownerOnly))
  try {
    await copyPages(file, partial, onCopied)
    check(partial)
    syncToDisk(partial)
    prepare()
    renameSync(partial, target)
    syncToDisk(dirname(target))
  } catch (error) {
    throw isDamage(error) && error instanceof Error ? new DamagedCopy(error.message) : error
  } finally {
    for (const ending of ['', '-journal', '-wal', '-shm']) rmSync(partial + ending, { force: true })
  }
}

async function copyPages(file: string, partial: string, onCopied: OnCopied): Promise<void> {
  using source = new DatabaseSync(file, { timeout: busyTimeout })
  // One snapshot: without it, every commit of another process would restart the copy.
  source.exec('BEGIN; SELECT count(*) FROM sqlite_schema')
  await backup(source, partial, {
    rate: pagesAtATime,
    progress: ({ totalPages, remainingPages }) => onCopied(totalPages - remainingPages, totalPages),
  })
}

function check(partial: string): void {
  using copy = new DatabaseSync(partial)
  const found = copy.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check']
  if (found !== 'ok') throw new DamagedCopy(String(found).replaceAll(/\s+/g, ' '))
  // Marks the file as complete without a write-ahead log.
  copy.exec('PRAGMA journal_mode = DELETE')
}

function syncToDisk(name: string): void {
  const descriptor = openSync(name, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
