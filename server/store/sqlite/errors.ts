import { setTimeout as wait } from 'node:timers/promises'
import { StoreError, StoreUnavailable, UniqueViolation } from '../errors.ts'

/** Advice about a damaged file. */
export const howToRestore = 'Restore a backup (docs/operations.md, "Backup and restore").'

const isLocked = 'another process holds its lock. Find out which one.'

// https://sqlite.org/rescode.html: problems of the machine or of other processes, as opposed to
// mistakes in our SQL.
const reasons = new Map([
  [5, isLocked],
  [8, 'it is read-only. Let the service write to it, to its folder and to its disk.'],
  [10, 'the disk failed. Look at the disk, at its mount, and at who may write to the file.'],
  [11, `it is damaged. ${howToRestore}`],
  [13, 'the disk is full. Free disk space.'],
  [14, 'it cannot be opened. Look at the file, its folder and who may write to them.'],
  [15, isLocked],
  [26, `it is not a database any more. ${howToRestore}`],
])

/** SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE. */
const uniqueViolations = [1555, 2067]

function codeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0
}

function primaryCode(error: unknown): number {
  return codeOf(error) & 0xff
}

/** Returns whether another process holds the lock that a statement needs. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === 5
}

/** Runs work, again every 10 ms while another process holds the lock that it needs. */
export async function whileLocked<Result>(
  timeout: number,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  for (const deadline = performance.now() + timeout; ; await wait(10)) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) {
        throw error
      }
    }
  }
}

/** Returns whether the content of the file is damaged. */
export function isDamage(error: unknown): boolean {
  return [11, 26].includes(primaryCode(error))
}

/** Describes the damage of a database file. */
export function damaged(file: string, damage: string): StoreError {
  return new StoreError(
    `The database ${file} is damaged (${damage}) and was left as it is. ${howToRestore}`,
  )
}

/** Converts an error of `node:sqlite` to one of the store, unless our SQL is the reason. */
export function toStoreError(error: unknown): unknown {
  if (uniqueViolations.includes(codeOf(error))) {
    return new UniqueViolation('A row with these values exists.', { cause: error })
  }
  const reason = reasons.get(primaryCode(error))
  if (reason !== undefined) {
    return new StoreUnavailable(`The database cannot be used: ${reason}`, { cause: error })
  }
  const isClosed = error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE'
  return isClosed ? new StoreUnavailable('The database is closed.', { cause: error }) : error
}
