import { StoreUnavailable } from '../store-unavailable.ts'

// https://sqlite.org/rescode.html: what the machine or another process does to us, as opposed to
// what our own SQL does wrong.
const transient = new Map([
  [3, 'its permissions are lost'],
  [5, 'another process holds its lock'],
  [6, 'a table is locked'],
  [7, 'memory ran out'],
  [8, 'it is read-only'],
  [10, 'the disk failed'],
  [11, 'it is damaged'],
  [13, 'the disk is full'],
  [14, 'it cannot be opened'],
  [15, 'another process holds its lock'],
  [26, 'it is not a database any more'],
])

function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}

/** Whether another process holds the lock that a statement needs. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === 5
}

/** Turns an error of `node:sqlite` into a `StoreUnavailable` where the fault is not in our SQL. */
export function toStoreError(error: unknown): unknown {
  const reason = transient.get(primaryCode(error) ?? 0)
  if (reason !== undefined) {
    return new StoreUnavailable(`The database cannot be used: ${reason}.`, { cause: error })
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
