import type { Call } from './request.ts'

/** The header field that makes a request safe to repeat. */
export const idempotencyKey = 'idempotency-key'

/** The longest backoff before the second attempt, in milliseconds; it doubles from one to the next. */
const firstBackoff = 500
const maxBackoff = 8_000

/**
 * Returns the milliseconds until a retry; undefined if the response is final, the request is not safe
 * to repeat, or the options of the call do not allow it.
 */
export function retryDelay(
  call: Call,
  { method, headers }: Request,
  response: Response | undefined,
): number | undefined {
  if (response?.ok) {
    return undefined
  }
  const status = response?.status
  const retryAfter = response && readRetryAfter(response.headers)
  // A paced call waits for as long as the rate limit lasts.
  const isEndless = call.pacer && status === 429 && retryAfter
  const unlimited = isEndless ? Infinity : undefined
  const { maxRetries = unlimited ?? 3, maxRetryDelay = unlimited ?? 60_000 } = call

  // 409 with Retry-After: the first request with this idempotency key is still being processed.
  const isTransient =
    status === 409
      ? retryAfter !== undefined
      : [undefined, 408, 429, 500, 502, 503, 504].includes(status)
  const isSafe = !/^(POST|PATCH)$/.test(method) || headers.get(idempotencyKey)
  const isRepeatable = isSafe && !call.upload?.isOnce
  if (!isTransient || !isRepeatable || call.attempts > maxRetries) {
    return undefined
  }

  const backoff = Math.min(firstBackoff * 2 ** (call.attempts - 1), maxBackoff, maxRetryDelay)
  // Full jitter, so that clients that failed together do not come back together.
  const delay = retryAfter ? retryAfter * 1000 : Math.random() * backoff
  // A timer may fire a millisecond early.
  const isInTime = delay + 1 < call.deadline - performance.now()
  return isInTime && delay <= maxRetryDelay ? delay : undefined
}

/** Reads `Retry-After`, seconds or a date (RFC 9110, section 10.2.3), in seconds from now. */
export function readRetryAfter(headers: Headers): number | undefined {
  const field = headers.get('retry-after') ?? ''
  const isNumber = /^\d+$/.test(field)
  const seconds = isNumber ? Number(field) : (toTime(field) - timeOf(headers)) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds))
}

/** Returns the time of a response by the clock of the service, or by ours if it has no date. */
export function timeOf(headers: Headers): number {
  return toTime(headers.get('date') ?? '') || Date.now()
}

function toTime(field: string): number {
  // Engines read nearly anything as a date.
  return /^\w{3}, .+ GMT$/.test(field) ? Date.parse(field) : NaN
}
