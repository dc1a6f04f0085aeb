import { DatabaseError } from 'pg'
import { OutcomeUnknown, StoreUnavailable } from '../errors.ts'

/** Reports that the connection was lost before the response arrived. */
export class ConnectionLost extends OutcomeUnknown {}

// https://www.postgresql.org/docs/current/errcodes-appendix.html: problems of the machine, its
// operator or other transactions, as opposed to mistakes in our SQL.
// 25006 is a replica that receives a write, as during a failover.
const unavailable = ['25006', '28', '3D', '40', '53', '55', '57', '58']

/**
 * Codes for a backend that has ended, or announces that it ends. With 40003, a distributed engine
 * cannot tell whether a commit succeeded.
 */
export const lost = ['08', '40003', '57P01', '57P02', '57P03', '57P05']

/**
 * Codes for a statement that the server has rolled back because of another transaction:
 * serialization failure, deadlock, lock not available. It may be sent again.
 */
export const rolledBack = ['40001', '40P01', '55P03']

/** Codes for a migration that another process was making at the same time. */
export const conflicting = [...rolledBack, '23505', '42P07', '42710', 'XX000']

/** The code for a backend that does not have the prepared statement that it should execute. */
export const unprepared = ['26000']

/** Tells what to do about a pooler that gives a connection a backend without its prepared statements. */
export const poolerAdvice =
  'The connection pooler in front of it does not keep prepared statements: set its pool_mode to session, or use PgBouncer 1.21 or later with max_prepared_statements above 0.'

/** Returns whether an error of the server has one of the codes, which may be the beginning of others. */
export function hasCode(error: unknown, codes: readonly string[]): error is DatabaseError {
  const code = error instanceof DatabaseError ? error.code : undefined
  return code !== undefined && codes.some((beginning) => code.startsWith(beginning))
}

/** Converts an error of the server to a `StoreUnavailable`, unless our SQL is the reason. */
export function toStoreError(error: unknown): unknown {
  if (hasCode(error, unprepared)) {
    return new StoreUnavailable(`PostgreSQL cannot respond. ${poolerAdvice}`, { cause: error })
  }
  if (!hasCode(error, unavailable)) return error
  return new StoreUnavailable(`PostgreSQL cannot respond: ${error.message}.`, { cause: error })
}
