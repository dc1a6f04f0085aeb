import { setTimeout as wait } from 'node:timers/promises'
import { StoreError, StoreUnavailable, UniqueViolation } from '../errors.ts'

/** Advice about a damaged file. */
export const howToRestore = 'Restore a backup (docs/operations.md, "Backup and restore").'

/** Result codes of SQLite: https://sqlite.org/rescode.html */
const codes = {
  busy: 5,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  lockProtocol: 15,
  notADatabase: 26,
}

/** Extended result codes, whose last byte is the result code. */
const extendedCodes = { primaryKeyViolation: 1555, uniqueViolation: 2067 }

const lockedReason = 'another process holds its lock. Find out which one.'

/** Problems of the machine or of other processes, as opposed to mistakes in our SQL. */
const unavailableReasons = new Map([
  [codes.busy, lockedReason],
  [codes.readOnly, 'it is read-only. Let the service write to it, to its folder and to its disk.'],
  [
    codes.ioError,
    'the disk failed. Look at the disk, at its mount, and at who may write to the file.',
  ],
  [codes.corrupt, `it is damaged. ${howToRestore}`],
  [codes.full, 'the disk is full. Free disk space.'],
  [
    codes.cannotOpen,
    'it cannot be opened. Look at the file, its folder and who may write to them.',
  ],
  [codes.lockProtocol, lockedReason],
  [codes.notADatabase, `it is not a database any more. ${howToRestore}`],
])

function extendedCodeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0
}

function codeOf(error: unknown): number {
  return extendedCodeOf(error) & 0xff
}

/** Returns whether another process holds the lock that a statement needs. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === codes.busy
}

/** Milliseconds between two attempts to get a lock. */
const lockPause = 10

/** Runs work, again and again while another process holds the lock that it needs. */
export async function whileLocked<Result>(
  timeout: number,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + timeout
  while (true) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) {
        throw error
      }
    }
    await wait(lockPause)
  }
}

/** Returns whether the content of the file is damaged. */
export function isDamage(error: unknown): boolean {
  const code = codeOf(error)
  return code === codes.corrupt || code === codes.notADatabase
}

/** Describes the damage of a database file. */
export function damaged(file: string, damage: string): StoreError {
  return new StoreError(
    `The database ${file} is damaged (${damage}) and was left as it is. ${howToRestore}`,
  )
}

/** Converts an error of `node:sqlite` to one of the store, unless our SQL is the reason. */
export function toStoreError(error: unknown): unknown {
  if (isUniqueViolation(error)) {
    return new UniqueViolation('A row with these values exists.', { cause: error })
  }

  const reason = unavailableReasons.get(codeOf(error))
  if (reason !== undefined) {
    return new StoreUnavailable(`The database cannot be used: ${reason}`, { cause: error })
  }

  const isClosed = error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE'
  return isClosed ? new StoreUnavailable('The database is closed.', { cause: error }) : error
}

function isUniqueViolation(error: unknown): boolean {
  const code = extendedCodeOf(error)
  return code === extendedCodes.primaryKeyViolation || code === extendedCodes.uniqueViolation
}
