import { DatabaseError } from 'pg'
import { OutcomeUnknown, StoreUnavailable } from '../store-unavailable.ts'

/** The connection was lost on the way. */
export class ConnectionLost extends OutcomeUnknown {}

// https://www.postgresql.org/docs/current/errcodes-appendix.html: what the machine, its operator or
// others do to us, as opposed to what our own SQL does wrong.
// 25006 is a replica that is asked to write, as in the middle of a failover.
const unavailable = ['25006', '28', '3D', '40', '53', '55', '57', '58']

// The backend is gone, or says with its last words that it goes.
const lost = ['08', '57P01', '57P02', '57P03', '57P05']

// A distributed engine cannot say what became of a commit.
const unknown = ['08007', '40003']

// Another transaction was in the way, and the server has undone ours: serialization failure,
// deadlock, lock not available.
const undone = ['40001', '40P01', '55P03']

function hasCode(error: unknown, codes: readonly string[]): error is DatabaseError {
  const code = error instanceof DatabaseError ? error.code : undefined
  return code !== undefined && codes.some((beginning) => code.startsWith(beginning))
}

/** Whether the server has undone a statement so that it may be sent again. */
export function isUndone(error: unknown): boolean {
  return hasCode(error, undone)
}

// Somebody else made the same table, type or row at the same time.
const overtaken = [...undone, '23505', '42P07', '42710', 'XX000']

/** Whether a change of the tables was undone because somebody else was making the same one. */
export function isOvertaken(error: unknown): boolean {
  return hasCode(error, overtaken)
}

/** Whether a statement waited in vain for a row of a table, which somebody else is writing. */
export function isRowLocked(error: unknown, table: string): boolean {
  // Locks of whole tables are told without a name; where a row is held, engines name its table.
  return hasCode(error, ['55P03']) && `${error.message} ${error.where}`.includes(table)
}

/** Whether the backend of a connection ended it. */
export function isFarewell(error: unknown): boolean {
  return hasCode(error, lost)
}

/** What to do where a pooler gives a connection another backend, which has not prepared its statements. */
export const poolerAdvice =
  'The connection pooler in front of it does not keep prepared statements: set its pool_mode to session, or use PgBouncer 1.21 or later with max_prepared_statements above 0.'

/** Whether a prepared statement does not exist in the backend that was asked to execute it. */
export function isUnprepared(error: unknown): boolean {
  return hasCode(error, ['26000'])
}

/** Turns an error of the server into a `StoreUnavailable` where the fault is not in our SQL. */
export function toStoreError(error: unknown): unknown {
  if (isUnprepared(error)) {
    return new StoreUnavailable(`PostgreSQL cannot answer. ${poolerAdvice}`, { cause: error })
  }
  if (!hasCode(error, [...unavailable, ...lost, ...unknown])) return error
  const Unavailable = hasCode(error, [...lost, ...unknown]) ? OutcomeUnknown : StoreUnavailable
  return new Unavailable(`PostgreSQL cannot answer: ${error.message}.`, { cause: error })
}
