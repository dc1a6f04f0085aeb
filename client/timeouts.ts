/** Milliseconds that a call may take. */
export interface TimeoutOptions {
  /** One attempt, from the request to the last byte of the answer. 30,000 unless it is given. */
  readonly attempt?: number
  /** The whole call, waits and all attempts included. 120,000. */
  readonly total?: number
}

/** The reason with which an attempt or a call ends that took too long. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut'
}

const longest = 2 ** 31 - 1

/** Runs some work under a signal that ends with another one, or after a time. */
export async function within<Result>(
  milliseconds: number,
  what: string,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const inner = new AbortController()
  const follow = (): void => inner.abort(outer?.reason)
  if (outer?.aborted) follow()
  outer?.addEventListener('abort', follow, { once: true })
  const timeOut = (): void =>
    inner.abort(new TimedOut(`${what} took longer than ${milliseconds / 1000} s.`))
  const timer = setTimeout(timeOut, Math.min(milliseconds, longest))
  try {
    return await work(inner.signal)
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener('abort', follow)
  }
}
