import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { apiName } from '../../process/names.ts'
import { reasonOf } from '../../process/operator-error.ts'
import { sqliteDialect } from '../engine.ts'
import { StoreError, StoreUnavailable } from '../errors.ts'
import { pendingStatements } from '../migrations.ts'
import type { Schema } from '../schema.ts'
import { damaged, howToRestore, isDamage, whileLocked } from './errors.ts'

/** Marks a database file as ours (SQLite file format, header bytes 68 to 71): four letters of the name. */
const applicationId = Buffer.from(apiName.toUpperCase().padEnd(4)).readUInt32BE()

/** Permissions of files for their owner alone. */
export const ownerOnly = 0o600

/** Most bytes of a database that is checked for damage at a start, which takes two seconds. */
const maxChecked = 2 ** 30

/** Milliseconds that opening waits for other processes that open the same new file. */
const openTimeout = 5_000

/** Milliseconds that a statement blocks the process while another process holds the lock. */
const busyTimeout = 5

/** Bytes of the header of a database file, and where its fields begin (https://sqlite.org/fileformat.html). */
const headerLength = 100
const header = { magic: 'SQLite format 3\0', writeVersionAt: 18, applicationIdAt: 68 }

/** The version of the file format for writers of a database without a write-ahead log. */
const versionWithoutLog = 1

const advice = 'Point DATABASE_URL at another file.'

/** Opens a database file, or `:memory:`, and applies pending migrations. */
export async function openFile(file: string, schema: Schema): Promise<DatabaseSync> {
  try {
    // Two processes that switch a new file to WAL lock each other out, whatever the busy timeout.
    return await whileLocked(openTimeout, () => tryToOpen(file, schema))
  } catch (cause) {
    if (cause instanceof StoreError) {
      throw cause
    }
    const reason = reasonOf(cause)
    if (isDamage(cause)) {
      throw damaged(file, reason)
    }
    throw new StoreError(`Cannot open the database ${file}: ${reason}.`, { cause })
  }
}

async function tryToOpen(file: string, schema: Schema): Promise<DatabaseSync> {
  if (file !== ':memory:') {
    prepareFile(file)
  }
  const connection = new DatabaseSync(file, { timeout: busyTimeout })
  try {
    const { application_id: mark } = connection.prepare('PRAGMA application_id').get() ?? {}
    // Only a new file is marked: opening does not wait for the writers of another process.
    if (mark !== applicationId) {
      connection.exec(`PRAGMA application_id = ${applicationId}`)
    }
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    await migrate(connection, schema)
  } catch (error) {
    connection.close()
    throw error
  }
  return connection
}

// Two processes may open a new file at once, and either may be killed: one transaction has all statements.
async function migrate(connection: DatabaseSync, schema: Schema): Promise<void> {
  const read = async (sql: string) => connection.prepare(sql).all()
  const readPending = () => pendingStatements(sqliteDialect, schema, read)
  if ((await readPending()).length === 0) {
    return
  }

  connection.exec('BEGIN IMMEDIATE')
  // Another process may have migrated it in the meantime.
  for (const statement of await readPending()) {
    connection.exec(statement)
  }
  connection.exec('COMMIT')
}

/**
 * Creates a database file that does not exist, with its folder, and rejects one that is not ours, or
 * damaged. A rejected file and its log are left unchanged: bytes are read, because SQLite itself would
 * recover the database of another program after its crash.
 */
function prepareFile(file: string): void {
  const fileStatus = statSync(file, { throwIfNoEntry: false })
  if (fileStatus === undefined) {
    createFolder(dirname(file))
    // SQLite gives its log the permissions of the database.
    writeFileSync(file, '', { flag: 'a', mode: ownerOnly })
    return
  }
  if (!fileStatus.isFile()) {
    throw new StoreError(`The database ${file} is not a file. ${advice}`)
  }

  // Read before the header: another process may be creating both.
  const logStatus = statSync(`${file}-wal`, { throwIfNoEntry: false })
  const hasLog = logStatus !== undefined && logStatus.size > 0
  // Our first write to an empty file is the mark: a crash never leaves a file with content without it.
  if (fileStatus.size === 0) {
    restrictFiles(file)
    return
  }

  assertOurs(file, hasLog)
  restrictFiles(file)
  // After an interrupted first start, nothing can be read before its changes are rolled back.
  if (fileStatus.size > maxChecked || existsSync(`${file}-journal`)) {
    return
  }
  using connection = new DatabaseSync(file, { readOnly: true, timeout: busyTimeout })
  assertWhole(connection, file, 'quick_check')
}

/** Throws a `StoreError` if a file is not a database of ours, or its log is that of another database. */
function assertOurs(file: string, hasLog: boolean): void {
  const fields = readHeader(file)
  if (fields === undefined) {
    throw new StoreError(
      `The file ${file} is not an SQLite database. ${advice} ` +
        `If this one was the store, it is damaged. ${howToRestore}`,
    )
  }
  if (!fields.isOurs) {
    throw new StoreError(`The database ${file} belongs to another program. ${advice}`)
  }
  // A backup has no log, so this log is of the database that it replaced. SQLite would write the
  // pages of the old database over the new one.
  if (hasLog && !fields.mayHaveLog) {
    throw new StoreError(
      `The log ${file}-wal was left by another database, in whose place ${file} was put. ` +
        `Remove ${file}-wal and ${file}-shm, and start again.`,
    )
  }
}

/** Reads the header of a database file; undefined if the file is not a database. */
export function readHeader(file: string) {
  const bytes = readStart(file, headerLength)
  const magic = bytes.toString('latin1', 0, header.magic.length)
  if (magic !== header.magic || bytes.length < headerLength) {
    return undefined
  }
  return {
    isOurs: bytes.readUInt32BE(header.applicationIdAt) === applicationId,
    mayHaveLog: bytes[header.writeVersionAt] !== versionWithoutLog,
  }
}

/** Reads the first bytes of a file, or fewer if it has not so many. */
function readStart(file: string, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  try {
    const descriptor = openSync(file, 'r')
    try {
      const readLength = readSync(descriptor, bytes)
      return bytes.subarray(0, readLength)
    } finally {
      closeSync(descriptor)
    }
  } catch (cause) {
    throw new StoreError(`Cannot read ${file}: ${reasonOf(cause)}.`, { cause })
  }
}

/** Creates a folder with its parents, for their owner alone. */
export function createFolder(folder: string): void {
  if (existsSync(folder)) {
    return
  }
  // Not by `recursive`: Node.js 26 does not return from that in folders such as those under /proc.
  createFolder(dirname(folder))
  try {
    mkdirSync(folder, 0o700)
  } catch (error) {
    // Another process on the same database may have created it.
    if (!existsSync(folder)) {
      throw error
    }
  }
}

/** Throws a `StoreError` if a check of SQLite finds damage in a database. */
export function assertWhole(
  connection: DatabaseSync,
  file: string,
  check: 'quick_check' | 'integrity_check',
): void {
  const result = connection.prepare(`PRAGMA ${check}(1)`).get()?.[check]
  if (result !== 'ok') {
    throw damaged(file, String(result).replaceAll(/\s+/g, ' '))
  }
}

/** What SQLite appends to the name of a database for the files that it keeps beside it. */
export const endingsOfFilesBeside = ['-journal', '-wal', '-shm']

/** The permissions of everyone but the owner. */
const permissionsOfOthers = 0o077

/** Changes the permissions of a database and the files beside it to 0600 if other users have any. */
export function restrictFiles(name: string): void {
  // SQLite keeps its log beside the file that a symbolic link leads to.
  const database = realpathSync(name)
  const filesBeside = endingsOfFilesBeside.map((ending) => database + ending)
  for (const file of [database, ...filesBeside]) {
    try {
      if ((statSync(file).mode & permissionsOfOthers) !== 0) {
        chmodSync(file, ownerOnly)
      }
    } catch {
      // There is no such file, or another user owns it, who has chosen its permissions.
    }
  }
}

/**
 * Returns a function that throws a `StoreUnavailable` if a database file was moved, deleted or
 * replaced since it was opened. SQLite itself would continue to write to a file without a name.
 */
export function createIdentityCheck(file: string): () => void {
  const identity = identityOf(file)
  return function assertSameFile() {
    if (identityOf(file) === identity) {
      return
    }
    throw new StoreUnavailable(
      `The database file ${file} was moved or deleted. Put it back where it was. ` +
        'To use another one in its place, restart the service.',
    )
  }
}

/** Returns what the system knows a file by; undefined if there is no such file, as for `:memory:`. */
function identityOf(file: string): string | undefined {
  const status = statSync(file, { throwIfNoEntry: false })
  return status === undefined ? undefined : `${status.dev} ${status.ino}`
}
