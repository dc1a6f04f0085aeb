import { readRetryAfter } from './retry-after.ts'

/**
 * How often and when a failed request is sent again. Times are in milliseconds. A paced client that
 * meets the limit has no end of attempts and no longest wait unless they are given.
 */
export interface RetryOptions {
  /** How often a request is sent at most, the first time included. 4 unless it is given. */
  readonly attempts?: number
  /** The longest wait before the second attempt; it doubles from one to the next. 500. */
  readonly backoff?: number
  /** The longest wait between two attempts that the service did not ask for. 8,000. */
  readonly longestBackoff?: number
  /** The longest wait that the service may ask for; beyond it, the call fails at once. 60,000. */
  readonly longestRetryAfter?: number
}

/** What is about to be tried again, and why. */
export interface Retry {
  readonly operationId: string
  /** The number of the attempt that failed, from 1. */
  readonly attempt: number
  /** Milliseconds until the next one. */
  readonly delay: number
  /** The status that the attempt was answered with; undefined when no answer came. */
  readonly status: number | undefined
  /** What went wrong when no answer came. */
  readonly cause: unknown
}

const transient = new Set([408, 429, 500, 502, 503, 504])

/** Whether another attempt may be answered differently. */
export function isTransient({ status, headers }: Response): boolean {
  // 409 with a time: the first request with this idempotency key is still running.
  return transient.has(status) || (status === 409 && headers.has('retry-after'))
}

/**
 * Milliseconds until the next attempt, or undefined when there is to be none: after the last one,
 * and when the service asks for more patience than allowed.
 */
export function delayOf(
  response: Response | undefined,
  attempt: number,
  options: RetryOptions,
): number | undefined {
  const { attempts = 4, backoff = 500, longestBackoff = 8_000 } = options
  const { longestRetryAfter = 60_000 } = options
  if (attempt >= attempts) return undefined
  const asked = response && readRetryAfter(response.headers)
  if (asked !== undefined) return asked * 1000 > longestRetryAfter ? undefined : asked * 1000
  // Full jitter: callers that failed together do not come back together.
  return Math.random() * Math.min(longestBackoff, backoff * 2 ** (attempt - 1))
}

/** Whether a request may be sent again: it changes nothing more, or carries an idempotency key. */
export function isRepeatable({ method, headers }: Request): boolean {
  return !['POST', 'PATCH'].includes(method) || Boolean(headers.get('idempotency-key'))
}
