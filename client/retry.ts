import { keyName } from './call.ts'
import type { Course } from './course.ts'
import type { Outgoing } from './outgoing.ts'
import { readRetryAfter } from './retry-after.ts'
import { tell } from './tell.ts'

// No answer at all among them.
const transient = [undefined, 408, 429, 500, 502, 503, 504]

/** Milliseconds that are left to a call. */
export function left({ end }: Course): number {
  return end - performance.now()
}

/**
 * Tells of the next attempt, and gives the milliseconds until then. Undefined when there is to be
 * none: when it could not be answered differently or might change something twice, after the last
 * one, and when the time or the patience that is allowed would not do.
 */
export function retryIn(
  course: Course,
  request: Request | Outgoing,
  response: Response | undefined,
  cause?: unknown,
): number | undefined {
  const { line, row, retry, attempts: attempt } = course
  const { status, headers, ok } = response ?? {}
  if (ok) return undefined
  const asked = headers && readRetryAfter(headers)
  // A paced call waits for as long as the limit asks, unless it is told otherwise.
  const most = line.pacer && status === 429 && asked ? Number.POSITIVE_INFINITY : undefined
  const { attempts = most ?? 4, backoff = 500, longestBackoff = 8_000 } = retry
  const { longestRetryAfter = most ?? 60_000 } = retry
  // Full jitter: callers that failed together do not come back together.
  const chance = Math.random() * Math.min(longestBackoff, backoff * 2 ** (attempt - 1))
  const pause = (asked ?? 0) * 1000
  const delay = pause || chance
  const isDue =
    attempt < attempts &&
    pause <= longestRetryAfter &&
    // A timer may be early by a millisecond.
    delay + 1 < left(course)
  // 409 with a time: the first request with this idempotency key is still running.
  const isTransient = status === 409 ? asked !== undefined : transient.includes(status)
  if (!isDue || !isTransient || !isRepeatable(request)) return undefined
  tell(line.onRetry, { operationId: row.operationId, attempt, delay, status, cause })
  return delay
}

// It changes nothing more when it comes twice, or carries an idempotency key.
function isRepeatable({ method, headers }: Request | Outgoing): boolean {
  return !/^(POST|PATCH)$/.test(method) || Boolean(headers.get(keyName))
}
