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

/** Milliseconds that a call may take. */
export interface TimeoutOptions {
  /** One attempt, from the request to the last byte of the answer. 30,000 unless it is given. */
  readonly attempt?: number
  /** The whole call, waits and all attempts included. 120,000, or no end for a paced client. */
  readonly total?: number
}

/** What may be said of one call, whatever the operation. */
export interface CommonCallOptions {
  /** Ends the call, the waits between its attempts included. */
  readonly signal?: AbortSignal
  /** Other rules for sending it again, where they differ from the client's; `false` for none. */
  readonly retry?: RetryOptions | false
  /** Other times, where they differ from the client's. */
  readonly timeout?: TimeoutOptions
}
