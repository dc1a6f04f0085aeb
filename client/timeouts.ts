import { endable } from './endable.ts'
import { after } from './wait.ts'

/** Runs some work under a signal that ends with another one, or after a time. */
export function within<Result>(
  milliseconds: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return endable(outer, (resolve, reject) => {
    const inner = new AbortController()
    const cancel = after(milliseconds, () => {
      const late = new Error('It took too long.')
      // The name that `AbortSignal.timeout` gives.
      late.name = 'TimeoutError'
      // First, because whoever ignores signals is not waited for.
      reject(late)
      inner.abort(late)
    })
    // Later, because it may end at once.
    Promise.resolve(inner.signal).then(work).then(resolve, reject)
    return () => {
      cancel()
      if (outer?.aborted) inner.abort(outer.reason)
    }
  })
}
