import { StoreUnavailable } from '../store-unavailable.ts'

/** What to do about a file that nobody can mend. */
export const howToRestore = 'Restore a backup (README.md, "Backup and restore").'

// https://sqlite.org/rescode.html: what the machine or another process does to us, as opposed to
// what our own SQL does wrong.
const transient = new Map([
  [3, 'its permissions are lost. Give the service back the right to read and write it.'],
  [5, 'another process holds its lock. Find which one, if that goes on.'],
  [6, 'a table is locked.'],
  [7, 'memory ran out. Give the machine more.'],
  [8, 'it is read-only. Let the service write to it, to its folder and to its disk.'],
  [10, 'the disk failed. Look at the disk, at its mount, and at who may write to the file.'],
  [11, `it is damaged. ${howToRestore}`],
  [13, 'the disk is full. Make room on it.'],
  [14, 'it cannot be opened. Look at the file, its folder and who may write to them.'],
  [15, 'another process holds its lock. Find which one, if that goes on.'],
  [26, `it is not a database any more. ${howToRestore}`],
])

function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}

/** Whether another process holds the lock that a statement needs. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === 5
}

/** Whether what is in the file makes no sense. */
export function isDamage(error: unknown): boolean {
  return [11, 26].includes(primaryCode(error) ?? 0)
}

/** Turns an error of `node:sqlite` into a `StoreUnavailable` where the fault is not in our SQL. */
export function toStoreError(error: unknown): unknown {
  const reason = transient.get(primaryCode(error) ?? 0)
  if (reason !== undefined) {
    return new StoreUnavailable(`The database cannot be used: ${reason}`, { cause: error })
  }
  const isClosed = error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE'
  return isClosed ? new StoreUnavailable('The database is closed.', { cause: error }) : error
}

/** Runs a read; rejects with a `StoreUnavailable` where the fault is not in our SQL. */
export async function guarded<Result>(read: () => Result): Promise<Result> {
  try {
    return read()
  } catch (error) {
    throw toStoreError(error)
  }
}
