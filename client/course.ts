import type { Row } from './call.ts'
import type { CommonCallOptions, RetryOptions, TimeoutOptions } from './call-options.ts'
import type { Line } from './line.ts'

/** How a call is to be made, and what is noted of it on the way. */
export interface Course {
  readonly line: Line
  readonly row: Partial<Row> & Pick<Row, 'operationId'>
  readonly retry: RetryOptions
  readonly timeout: TimeoutOptions
  readonly signal: AbortSignal | undefined
  /** How often the request was sent so far. */
  attempts: number
  /** When the call has to be over, by `performance.now()`. */
  readonly end: number
}

/** Plans a call: its own options win over the client's, one by one. */
export function createCourse(
  line: Line,
  { signal, ...own }: CommonCallOptions,
  row: Course['row'],
): Course {
  const timeout = { ...line.timeout, ...own.timeout }
  const { total = line.pacer ? Number.POSITIVE_INFINITY : 120_000 } = timeout
  return {
    line,
    row,
    // Many listeners on one signal would make an engine warn of a leak.
    signal: signal && (AbortSignal.any?.([signal]) ?? signal),
    retry: (own.retry ?? line.retry) === false ? { attempts: 1 } : { ...line.retry, ...own.retry },
    timeout,
    attempts: 0,
    end: performance.now() + total,
  }
}
