import { endable } from './endable.ts'

/** Runs something after some milliseconds, and gives what calls it off. */
export function after(milliseconds: number, run: () => void): () => void {
  // A timer that is to run for longer than 24.8 days would end at once.
  const timer = setTimeout(run, Math.min(milliseconds, 2 ** 31 - 1))
  return () => clearTimeout(timer)
}

/** Resolves after some milliseconds, and rejects with the signal's reason when that comes first. */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return endable(signal, (resolve) => after(milliseconds, resolve))
}
