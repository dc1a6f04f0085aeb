/**
 * A promise that a signal can end at once. What `start` gives is called when it is over, however it
 * ended.
 */
export function endable<Result>(
  signal: AbortSignal | undefined,
  start: (resolve: (value: Result) => void, reject: (reason: unknown) => void) => () => void,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    let isOver = false
    let cleanUp: (() => void) | undefined
    const ending =
      <Value>(settle: (value: Value) => void) =>
      (value: Value): void => {
        isOver = true
        signal?.removeEventListener('abort', follow)
        cleanUp?.()
        settle(value)
      }
    const fail = ending(reject)
    const follow = (): void => fail(signal?.reason)
    signal?.addEventListener('abort', follow)
    cleanUp = start(ending(resolve), fail)
    // What starts may abort the signal itself.
    if (isOver) cleanUp()
  })
}
