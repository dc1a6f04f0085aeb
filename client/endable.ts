/**
 * A promise that a signal can end at once. What `start` gives is called when it is over, with the
 * signal's reason when that was what ended it.
 */
export function endable<Result>(
  signal: AbortSignal | undefined,
  start: (
    resolve: (value: Result) => void,
    reject: (reason: unknown) => void,
  ) => (reason?: unknown) => void,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    let isOver = false
    let cleanUp: ((reason?: unknown) => void) | undefined
    const end = (reason?: unknown): void => {
      isOver = true
      signal?.removeEventListener('abort', follow)
      cleanUp?.(reason)
    }
    const follow = (): void => {
      end(signal?.reason)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', follow)
    cleanUp = start(
      (value) => {
        end()
        resolve(value)
      },
      (reason) => {
        end()
        reject(reason)
      },
    )
    // What starts may abort the signal itself.
    if (isOver) cleanUp(signal?.reason)
  })
}
