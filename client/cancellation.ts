/** The error of a timeout, named like that of `AbortSignal.timeout`. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/**
 * Runs work with a signal that is aborted when another one is, or after a timeout; rejects then at
 * once, because the work may ignore its signal.
 */
export async function runUntil<Result>(
  outer: AbortSignal | undefined,
  timeout: number,
  work: (signal: AbortSignal) => Promise<Result>,
  missing = 'no complete response',
): Promise<Result> {
  outer?.throwIfAborted()
  const controller = new AbortController()
  const { signal } = controller
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
  const abort = () => controller.abort(outer?.reason)
  outer?.addEventListener('abort', abort)
  const cancelTimer = startTimer(timeout, () => {
    controller.abort(new TimeoutError(`${missing} within ${Math.round(timeout)} ms`))
  })
  try {
    return await Promise.race([work(signal), aborted])
  } finally {
    outer?.removeEventListener('abort', abort)
    cancelTimer()
  }
}

/** Waits for some milliseconds; rejects when the signal is aborted. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return runUntil(signal, Infinity, (sleepSignal) => {
    return new Promise((resolve) => {
      const cancelTimer = startTimer(milliseconds, resolve)
      sleepSignal.onabort = cancelTimer
    })
  })
}

/** Starts a timer; returns a function that cancels it. */
export function startTimer(milliseconds: number, run: () => void): () => void {
  // A timer of more than 24.8 days would fire at once.
  const timer = setTimeout(run, Math.min(milliseconds, 2 ** 31 - 1))
  return () => clearTimeout(timer)
}
