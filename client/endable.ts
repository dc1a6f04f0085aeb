/**
 * A promise that a signal can end at once. What `start` gives is called when it is over, however it
 * ended; `start` itself may not end it.
 */
export function endable<Result>(
  signal: AbortSignal | undefined,
  start: (resolve: (value: Result) => void, reject: (reason: unknown) => void) => () => void,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const ending =
      <Value>(settle: (value: Value) => void) =>
      (value: Value): void => {
        signal?.removeEventListener('abort', follow)
        cleanUp()
        settle(value)
      }
    const fail = ending(reject)
    const follow = (): void => fail(signal?.reason)
    signal?.addEventListener('abort', follow)
    const cleanUp = start(ending(resolve), fail)
  })
}
