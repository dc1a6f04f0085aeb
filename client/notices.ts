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

/** A notice that an operation is deprecated. */
export interface DeprecationNotice {
  readonly operationId: string
  /** Since when it is deprecated (RFC 9745). */
  readonly since: Date | undefined
  /** When it will be removed (RFC 8594). */
  readonly sunset: Date | undefined
  /** What to use instead, in the words of the contract. */
  readonly replacement: string | undefined
}
