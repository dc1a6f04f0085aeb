/** Returns a function that calls another once, and returns the same promise to every caller. */
export function callOnce<T>(call: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => {
    result ??= call()
    return result
  }
}
