import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { StoreRefused } from '../store-refused.ts'
import { howToRestore } from './faults.ts'
import { ownerOnly } from './permissions.ts'

/** Marks a database file as ours (SQLite file format, header bytes 68 to 71): "ANIM". */
export const applicationId = 0x414e494d

const magic = 'SQLite format 3\0'
const headerLength = 100
/** A header byte that says how the file is written to: 2 with a write-ahead log, 1 without. */
const writeVersion = 18
const rollback = 1
const advice = 'Point DATABASE_URL at another file.'
const ifItWasOurs = `${advice} If this one was the store, it is damaged. ${howToRestore}`

/**
 * Makes a database file that is not there yet, and its folder, and refuses one that is not ours. It
 * reads bytes, because SQLite itself would tidy up after another program's crash: the file and its
 * log stay as they are.
 */
export function prepareFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) {
    makeFolder(dirname(file))
    accessSync(dirname(file), constants.W_OK)
    // SQLite gives its log the permissions of the database.
    closeSync(openSync(file, 'a', ownerOnly))
    return
  }
  if (!found.isFile()) throw new StoreRefused(`The database ${file} is not a file. ${advice}`)
  accessSync(file, constants.R_OK | constants.W_OK)
  // Looked at before the header: another process may be making both.
  const hasLog = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
  // Our first write to an empty file is the mark: a crash never leaves one without it.
  if (found.size === 0) return
  const owner = ownerOf(file)
  if (owner === 'nobody') {
    throw new StoreRefused(`The file ${file} is not an SQLite database. ${ifItWasOurs}`)
  }
  if (owner === 'another') {
    throw new StoreRefused(`The database ${file} belongs to another program. ${advice}`)
  }
  if (hasLog && readHeader(file)[writeVersion] === rollback) throw leftOver(file)
}

/** Whose database a file is; nobody's when it is none. */
export function ownerOf(file: string): 'ours' | 'another' | 'nobody' {
  const { size } = statSync(file)
  const header = readHeader(file)
  const isDatabase = header.toString('latin1', 0, magic.length) === magic
  if (!isDatabase || size < headerLength) return 'nobody'
  return header.readUInt32BE(68) === applicationId ? 'ours' : 'another'
}

/** Makes a folder and those that it is in, for their owner alone. */
// One level at a time: asked for all of them, Node.js 26 never comes back from folders such as
// those under /proc.
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder, 0o700)
  } catch (error) {
    // Another process that starts on the same database was here first.
    if (!existsSync(folder)) throw error
  }
}

// A file that is written to without a log, such as a backup, was put in the place of one that had
// this log. SQLite would write the pages of the old database over the new one.
function leftOver(file: string): StoreRefused {
  return new StoreRefused(
    `The log ${file}-wal was left by another database, in whose place ${file} was put. ` +
      `Remove ${file}-wal and ${file}-shm, and start again.`,
  )
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
