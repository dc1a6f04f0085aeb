/** Calls a callback that only watches: what it throws is shown on the console, and breaks no call. */
export async function tell<Value>(
  callback: ((value: Value) => void) | undefined,
  value: Value,
): Promise<void> {
  try {
    // It may be an async function: what it rejects with later would end the process.
    await callback?.(value)
  } catch (error) {
    console.error('animal-store-client: a callback threw:', error)
  }
}
