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
import { damaged, howToRestore, isDamage } from './errors.ts'

/** Marks a database file as ours (SQLite file format, header bytes 68 to 71): "ANIM". */
export const applicationId = 0x414e494d

/** The files that SQLite keeps beside a database: its write-ahead log and the index of that. */
const besides = ['-wal', '-shm'] as const

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
  const owner = ownerOf(file)
  if (owner === 'nobody') {
    throw new StoreError(
      `The file ${file} is not an SQLite database. ${advice} ` +
        `If this one was the store, it is damaged. ${howToRestore}`,
    )
  }
  if (owner === 'another') {
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

/** Returns whose database a file is: that of a store, of another program, or none. */
export function ownerOf(file: string): 'ours' | 'another' | 'nobody' {
  const { size } = statSync(file)
  const header = readHeader(file)
  const isDatabase = header.toString('latin1', 0, 16) === 'SQLite format 3\0'
  if (!isDatabase || size < headerLength) return 'nobody'
  return header.readUInt32BE(68) === applicationId ? 'ours' : 'another'
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

function readHeader(file: string): Buffer {
  const header = Buffer.alloc(headerLength)
  const descriptor = openSync(file, 'r')
  try {
    readSync(descriptor, header)
  } finally {
    closeSync(descriptor)
  }
  return header
}

/** Returns the first structural error that a check of SQLite finds; undefined if there is none. */
export function findDamage(
  connection: DatabaseSync,
  check: 'quick_check' | 'integrity_check',
): string | undefined {
  try {
    const found = connection.prepare(`PRAGMA ${check}(1)`).get()?.[check]
    return found === 'ok' ? undefined : String(found).replaceAll(/\s+/g, ' ')
  } catch (error) {
    if (isDamage(error)) return reasonOf(error)
    throw error
  }
}

/** Rejects a damaged database file, and leaves it and its log unchanged. */
export function rejectDamaged(file: string, busyTimeout: number): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0 || size > mostChecked) return
  // After an interrupted first start, nothing can be read before its changes are rolled back.
  if (existsSync(`${file}-journal`)) return
  using connection = new DatabaseSync(file, { readOnly: true, timeout: busyTimeout })
  const damage = findDamage(connection, 'quick_check')
  if (damage !== undefined) throw damaged(file, damage)
}

/**
 * Changes the permissions of a database and the files beside it to 0600 if other users have any.
 * Returns one line about the change; undefined if there was none.
 */
export function restrictFiles(name: string): string | undefined {
  // SQLite keeps its log beside the file that a symbolic link leads to.
  const file = realpathSync(name)
  const open = ['', '-journal', ...besides]
    .map((ending) => file + ending)
    .filter((one) => existsSync(one) && (statSync(one).mode & 0o077) !== 0)
  if (open.length === 0) return undefined
  const who = `Other users could read or write ${open.join(', ')}.`
  try {
    for (const one of open) chmodSync(one, ownerOnly)
    return `${who} Permissions changed to 0600.`
  } catch (error) {
    return `${who} Permissions cannot be changed to 0600: ${reasonOf(error)}. Change them as the owner.`
  }
}

/** Returns a warning if other users can read the folder of a database. */
export function warnOfFolder(name: string): string | undefined {
  const folder = dirname(realpathSync(name))
  const { mode } = statSync(folder)
  if ((mode & 0o044) === 0) return undefined
  const permissions = (mode & 0o777).toString(8).padStart(4, '0')
  return `Other users can read the folder ${folder} of the store (permissions ${permissions}). If only the service uses it: chmod 700 ${folder}`
}
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
