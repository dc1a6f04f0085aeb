import { DatabaseError } from 'pg'
import { OutcomeUnknown, StoreUnavailable } from '../errors.ts'

/** Reports that the connection was lost before the response arrived. */
export class ConnectionLost extends OutcomeUnknown {}

// https://www.postgresql.org/docs/current/errcodes-appendix.html: problems of the machine, its
// operator or other transactions, as opposed to mistakes in our SQL.
// 25006 is a replica that receives a write, as during a failover.
const unavailable = ['25006', '28', '3D', '40', '53', '55', '57', '58']

// The backend has ended, or announces that it ends.
const lost = ['08', '57P01', '57P02', '57P03', '57P05']

// A distributed engine cannot tell whether a commit succeeded.
const unknown = ['08007', '40003']

// The server has rolled back because of another transaction: serialization failure, deadlock, lock
// not available.
const rolledBack = ['40001', '40P01', '55P03']

// Another process created the same table, type or row at the same time.
const conflicting = [...rolledBack, '23505', '42P07', '42710', 'XX000']

function hasCode(error: unknown, codes: readonly string[]): error is DatabaseError {
  const code = error instanceof DatabaseError ? error.code : undefined
  return code !== undefined && codes.some((beginning) => code.startsWith(beginning))
}

/** Returns whether the server has rolled a statement back, so that it may be sent again. */
export function isRolledBack(error: unknown): boolean {
  return hasCode(error, rolledBack)
}

/** Returns whether a migration failed because another process was making the same one. */
export function isConflict(error: unknown): boolean {
  return hasCode(error, conflicting)
}

/** Returns whether a statement timed out on the lock of a row of a table. */
export function isRowLocked(error: unknown, table: string): boolean {
  // The error of a locked table does not name it; that of a locked row does.
  return hasCode(error, ['55P03']) && `${error.message} ${error.where}`.includes(table)
}

/** Returns whether the server ended the connection. */
export function isTermination(error: unknown): boolean {
  return hasCode(error, lost)
}

/** Tells what to do about a pooler that gives a connection a backend without its prepared statements. */
export const poolerAdvice =
  'The connection pooler in front of it does not keep prepared statements: set its pool_mode to session, or use PgBouncer 1.21 or later with max_prepared_statements above 0.'

/** Returns whether the backend that should execute a prepared statement does not have it. */
export function isUnprepared(error: unknown): boolean {
  return hasCode(error, ['26000'])
}

/** Converts an error of the server to a `StoreUnavailable`, unless our SQL is the reason. */
export function toStoreError(error: unknown): unknown {
  if (isUnprepared(error)) {
    return new StoreUnavailable(`PostgreSQL cannot respond. ${poolerAdvice}`, { cause: error })
  }
  if (!hasCode(error, [...unavailable, ...lost, ...unknown])) return error
  const Unavailable = hasCode(error, [...lost, ...unknown]) ? OutcomeUnknown : StoreUnavailable
  return new Unavailable(`PostgreSQL cannot respond: ${error.message}.`, { cause: error })
}
