/** Calls a callback that only watches: what it throws is shown on the console, and breaks no call. */
export function tell<Value>(callback: ((value: Value) => void) | undefined, value: Value): void {
  try {
    callback?.(value)
  } catch (error) {
    console.error('animal-store-client: a callback threw:', error)
  }
}
