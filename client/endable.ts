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
    const end = (reason?: unknown): void => {
      signal?.removeEventListener('abort', follow)
      cleanUp(reason)
    }
    const follow = (): void => {
      end(signal?.reason)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', follow)
    const cleanUp = start(
      (value) => {
        end()
        resolve(value)
      },
      (reason) => {
        end()
        reject(reason)
      },
    )
  })
}
