/** Returns a function that calls another once, and returns the same promise to every caller. */
export function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => {
    result ??= ask()
    return result
  }
}
