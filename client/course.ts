import type { Row } from './call.ts'
import type { CommonCallOptions, RetryOptions, TimeoutOptions } from './call-options.ts'
import type { Line } from './line.ts'

/** How a call is to be made, and what is noted of it on the way. */
export interface Course extends Line {
  readonly operationId: string
  readonly cursor?: string
  readonly replacement?: string
  readonly retry: RetryOptions
  readonly timeout: TimeoutOptions
  readonly signal?: AbortSignal
  /** How often the request was sent so far. */
  attempts: number
  /** When the call has to be over, by `performance.now()`. */
  end: number
}

/** Plans a call: its own options win over the client's, one by one. */
export function createCourse(
  line: Line,
  own: CommonCallOptions,
  row: Pick<Row, 'operationId' | 'cursor' | 'replacement'>,
): Course {
  const timeout = { ...line.timeout, ...own.timeout }
  const { total = line.pacer ? Number.POSITIVE_INFINITY : 120_000 } = timeout
  return {
    ...line,
    ...row,
    ...own,
    retry: (own.retry ?? line.retry) === false ? { attempts: 1 } : { ...line.retry, ...own.retry },
    timeout,
    attempts: 0,
    end: performance.now() + total,
  }
}
