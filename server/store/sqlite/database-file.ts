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
import { StoreUnavailable } from '../store-unavailable.ts'

/** Marks a database file as ours (SQLite file format, header bytes 68 to 71): "ANIM". */
export const applicationId = 0x414e494d

const magic = 'SQLite format 3\0'
const headerLength = 100
const advice = 'Point DATABASE_URL at another file.'

/**
 * Makes the folder of a database file that is not there yet, and refuses one that is not ours. It
 * reads bytes, because SQLite itself would tidy up after another program's crash: the file and its
 * log stay as they are.
 */
export function prepareFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) {
    makeFolder(dirname(file))
    accessSync(dirname(file), constants.W_OK)
    return
  }
  if (!found.isFile()) throw new StoreRefused(`The database ${file} is not a file. ${advice}`)
  accessSync(file, constants.R_OK | constants.W_OK)
  // Our first write to an empty file is the mark: a crash never leaves one without it.
  if (found.size === 0) return
  const header = readHeader(file)
  if (header.toString('latin1', 0, magic.length) !== magic) {
    throw new StoreRefused(`The file ${file} is not an SQLite database. ${advice}`)
  }
  if (header.readUInt32BE(68) !== applicationId) {
    throw new StoreRefused(`The database ${file} belongs to another program. ${advice}`)
  }
}

// One level at a time: asked for all of them, Node.js 26 never comes back from folders such as
// those under /proc.
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder)
}

/** Makes a check that a database file is still the one that was opened, neither moved nor deleted. */
export function createPlaceCheck(file: string): () => void {
  const opened = statSync(file, { throwIfNoEntry: false })
  return () => {
    if (opened === undefined) return
    const found = statSync(file, { throwIfNoEntry: false })
    if (found?.ino === opened.ino && found.dev === opened.dev) return
    throw new StoreUnavailable(
      `The database file ${file} was moved or deleted. Restart the service.`,
    )
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
