import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { reasonOf } from '../../plain-error.ts'
import { StoreError, StoreUnavailable } from '../errors.ts'
import { damaged, howToRestore } from './errors.ts'

/** Marks a database file as ours (SQLite file format, header bytes 68 to 71): "ANIM". */
export const applicationId = 0x414e494d

/** Permissions for the owner alone. */
export const ownerOnly = 0o600

/** Most bytes of a database that is checked for damage at a start, which takes two seconds. */
const mostChecked = 2 ** 30

const headerLength = 100
const advice = 'Point DATABASE_URL at another file.'

/**
 * Creates a database file that does not exist, with its folder, and rejects one that is not ours. It
 * reads bytes, because SQLite itself would recover the database of another program after its crash.
 */
export function prepareFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) {
    createFolder(dirname(file))
    // SQLite gives its log the permissions of the database.
    closeSync(openSync(file, 'a', ownerOnly))
    return
  }
  if (!found.isFile()) throw new StoreError(`The database ${file} is not a file. ${advice}`)
  // Read before the header: another process may be creating both.
  const hasLog = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
  // Our first write to an empty file is the mark: a crash never leaves one without it.
  if (found.size === 0) return
  const mark = readMark(file)
  if (mark === undefined) {
    throw new StoreError(
      `The file ${file} is not an SQLite database. ${advice} ` +
        `If this one was the store, it is damaged. ${howToRestore}`,
    )
  }
  if (mark !== applicationId) {
    throw new StoreError(`The database ${file} belongs to another program. ${advice}`)
  }
  // A backup has no log (header byte 18 is 1), so this log is of the database that it replaced.
  // SQLite would write the pages of the old database over the new one.
  if (hasLog && readHeader(file)[18] === 1) {
    throw new StoreError(
      `The log ${file}-wal was left by another database, in whose place ${file} was put. ` +
        `Remove ${file}-wal and ${file}-shm, and start again.`,
    )
  }
}

/** Returns the application ID of a database file; undefined if the file is not a database. */
export function readMark(file: string): number | undefined {
  const header = readHeader(file)
  const isDatabase = header.toString('latin1', 0, 16) === 'SQLite format 3\0'
  return isDatabase && header.length === headerLength ? header.readUInt32BE(68) : undefined
}

function readHeader(file: string): Buffer {
  const header = Buffer.alloc(headerLength)
  const descriptor = openSync(file, 'r')
  try {
    return header.subarray(0, readSync(descriptor, header))
  } finally {
    closeSync(descriptor)
  }
}

/** Creates a folder with its parents, for their owner alone. */
export function createFolder(folder: string): void {
  if (existsSync(folder)) return
  // Not by `recursive`: Node.js 26 does not return from that in folders such as those under /proc.
  createFolder(dirname(folder))
  try {
    mkdirSync(folder, 0o700)
  } catch (error) {
    // Another process on the same database may have created it.
    if (!existsSync(folder)) throw error
  }
}

/** Throws a `StoreError` if a check of SQLite finds damage in a database. */
export function assertWhole(
  connection: DatabaseSync,
  file: string,
  check: 'quick_check' | 'integrity_check',
): void {
  const found = connection.prepare(`PRAGMA ${check}(1)`).get()?.[check]
  if (found !== 'ok') throw damaged(file, String(found).replaceAll(/\s+/g, ' '))
}

/** Rejects a damaged database file, and leaves it and its log unchanged. */
export function rejectDamaged(file: string, busyTimeout: number): void {
  const { size } = statSync(file)
  // After an interrupted first start, nothing can be read before its changes are rolled back.
  if (size === 0 || size > mostChecked || existsSync(`${file}-journal`)) return
  using connection = new DatabaseSync(file, { readOnly: true, timeout: busyTimeout })
  assertWhole(connection, file, 'quick_check')
}

/**
 * Changes the permissions of a database and the files beside it to 0600 if other users have any.
 * Returns one line about the change; undefined if there was none.
 */
export function restrictFiles(name: string): string | undefined {
  // SQLite keeps its log beside the file that a symbolic link leads to.
  const file = realpathSync(name)
  const open = ['', '-journal', '-wal', '-shm']
    .map((ending) => file + ending)
    .filter((one) => ((statSync(one, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0)
  if (open.length === 0) return undefined
  const who = `Other users could read or write ${open.join(', ')}.`
  try {
    for (const one of open) chmodSync(one, ownerOnly)
    return `${who} Permissions changed to 0600.`
  } catch (error) {
    return `${who} Permissions cannot be changed to 0600: ${reasonOf(error)}. Change them as the owner.`
  }
}

/**
 * Returns a function that throws a `StoreUnavailable` if a database file was moved, deleted or
 * replaced since it was opened. SQLite itself would continue to write to a file without a name.
 */
export function createIdentityCheck(file: string): () => void {
  const identify = () => {
    const found = statSync(file, { throwIfNoEntry: false })
    return found && `${found.dev} ${found.ino}`
  }
  const opened = identify()
  return () => {
    if (identify() === opened) return
    throw new StoreUnavailable(
      `The database file ${file} was moved or deleted. Put it back where it was. ` +
        'To use another one in its place, restart the service.',
    )
  }
}
