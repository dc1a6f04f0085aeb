import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { OperatorError, reasonOf } from '../../process/operator-error.ts'
import { StoreError } from '../errors.ts'
import { damaged, isBusy, isDamage } from './errors.ts'
import {
  assertWhole,
  createFolder,
  endingsOfFilesBeside,
  ownerOnly,
  readHeader,
  restrictFiles,
} from './file.ts'

/** Milliseconds that a command waits for a lock of another process. */
const busyTimeout = 5_000

/** Copies a database of ours, in service or not, to a file that appears when it is complete. */
export async function backUp(file: string, target: string, replace: boolean): Promise<void> {
  if (!existsSync(file)) {
    throw new StoreError(`There is no database ${file}.`)
  }
  if (!readHeader(file)?.isOurs) {
    throw new StoreError(`${file} is not the database of a store.`)
  }
  const targetStatus = statSync(target, { throwIfNoEntry: false })
  if (targetStatus?.isFile() === false) {
    throw new StoreError(`${target} is not a file. Name another one.`)
  }
  if (targetStatus !== undefined && !replace) {
    throw new StoreError(`${target} is there already. Name another file, or add --replace.`)
  }
  await copyDatabase(file, target)
}

/**
 * Replaces a database that is not in service by a copy of a backup. The old one is renamed; returns
 * its new name.
 */
export async function restore(backup: string, name: string): Promise<string | undefined> {
  // The file that a link leads to is replaced, not the link: it may lead to another volume.
  const file = existsSync(name) ? realpathSync(name) : name
  if (!existsSync(backup)) {
    throw new StoreError(`There is no backup ${backup}.`)
  }
  if (!readHeader(backup)?.isOurs) {
    throw new StoreError(`${backup} is not a backup of a store.`)
  }
  createFolder(dirname(file))

  const isReplaced = existsSync(file)
  const stamp = new Date().toISOString().replaceAll(/[-:.Z]/g, '')
  // Another restore at the same moment must not replace the file of this one.
  const renamed = `${file}.replaced-${stamp}-${process.pid}`
  await copyDatabase(backup, file, () => {
    if (isReplaced) {
      assertNotInUse(file)
    }
    // SQLite would apply the log of the old database to the new one.
    for (const ending of ['-wal', '-shm', '']) {
      if (existsSync(file + ending)) {
        renameSync(file + ending, renamed + ending)
      }
    }
  })
  if (!isReplaced) {
    return undefined
  }
  restrictFiles(renamed)
  return renamed
}

// Only a process that uses the database alone can leave WAL mode, which also writes the log into the database.
function assertNotInUse(file: string): void {
  const header = readHeader(file)
  // A file that is no database is kept as it is.
  if (header === undefined) {
    return
  }
  if (!header.isOurs) {
    throw new StoreError(`The database ${file} belongs to another program. Look at DATABASE_URL.`)
  }
  using connection = new DatabaseSync(file, { timeout: busyTimeout })
  try {
    connection.exec('PRAGMA journal_mode = DELETE')
  } catch (cause) {
    // A damaged database is kept as it is.
    if (isDamage(cause)) {
      return
    }
    if (!isBusy(cause)) {
      throw cause
    }
    const message = `The database ${file} is in use. Stop the service, and run the same command again.`
    throw new StoreError(message, { cause })
  }
}

/**
 * Copies a database as it is at one moment. Calls `prepareTarget` when the copy was checked, which may throw,
 * and moves the copy to the target. A failure leaves no copy.
 */
async function copyDatabase(
  file: string,
  target: string,
  prepareTarget?: () => void,
): Promise<void> {
  const partial = `${target}.${process.pid}.partial`
  try {
    closeSync(openSync(partial, 'wx', ownerOnly))
    using source = new DatabaseSync(file, { timeout: busyTimeout })
    // One snapshot: without it, every commit of another process would restart the copy.
    source.exec('BEGIN; SELECT count(*) FROM sqlite_schema')
    await backup(source, partial)

    using copy = new DatabaseSync(partial)
    assertWhole(copy, file, 'integrity_check')
    // Marks the file as complete without a write-ahead log, and syncs it to the disk.
    copy.exec('PRAGMA journal_mode = DELETE')
    copy.close()

    // A signal must not end the process between the renames, with no store in place.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.once(signal, () => undefined)
    }
    prepareTarget?.()
    renameSync(partial, target)
    const folder = openSync(dirname(target), 'r')
    fsyncSync(folder)
    closeSync(folder)
  } catch (error) {
    if (error instanceof OperatorError) {
      throw error
    }
    if (isDamage(error)) {
      throw damaged(file, reasonOf(error))
    }
    throw new StoreError(`Cannot copy ${file} to ${target}: ${reasonOf(error)}.`, { cause: error })
  } finally {
    for (const ending of ['', ...endingsOfFilesBeside]) {
      rmSync(partial + ending, { force: true })
    }
  }
}
