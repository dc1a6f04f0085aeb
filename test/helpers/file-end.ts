const waiting: (() => unknown)[] = []

/**
 * Calls a function after the last test of the file that is running. What a helper keeps for a file ends here, and
 * not by an `afterAll` of the helper, which would run once: test files share their modules.
 */
export function atFileEnd(end: () => unknown): void {
  waiting.push(end)
}

/** Ends what belongs to the file that is running, the last one first. */
export async function endFile(): Promise<void> {
  for (const end of waiting.splice(0).reverse()) {
    await end()
  }
}
