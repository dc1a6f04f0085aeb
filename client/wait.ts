/** The longest time that a timer can run; a longer one would end at once. */
const longest = 2 ** 31 - 1

/** Resolves after some milliseconds, and rejects with the signal's reason when that comes first. */
export function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      },
      Math.min(Math.max(0, milliseconds), longest),
    )
    signal?.addEventListener('abort', stop, { once: true })
  })
}
