import { endable } from './endable.ts'
import { after } from './wait.ts'

/** Milliseconds that a call may take. */
export interface TimeoutOptions {
  /** One attempt, from the request to the last byte of the answer. 30,000 unless it is given. */
  readonly attempt?: number
  /** The whole call, waits and all attempts included. 120,000, or no end for a paced client. */
  readonly total?: number
}

/** The reason with which an attempt or a call ends that took too long. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut'
}

/** Runs some work under a signal that ends with another one, or after a time. */
export function within<Result>(
  milliseconds: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return endable(outer, (resolve, reject) => {
    const inner = new AbortController()
    const cancel = after(milliseconds, () => {
      const late = new TimedOut(`It took longer than ${milliseconds / 1000} s.`)
      // First, because whoever ignores signals is not waited for.
      reject(late)
      inner.abort(late)
    })
    work(inner.signal).then(resolve, reject)
    return (reason) => {
      cancel()
      if (outer?.aborted) inner.abort(reason)
    }
  })
}
