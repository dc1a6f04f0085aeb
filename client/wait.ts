import { endable } from './endable.ts'

/** The longest time that a timer can run; a longer one would end at once. */
const longest = 2 ** 31 - 1

/** Runs something after some milliseconds, however many they are; gives what calls it off. */
export function after(milliseconds: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const start = (left: number): void => {
    const next = (): void => (left > longest ? start(left - longest) : run())
    timer = setTimeout(next, Math.min(left, longest))
  }
  start(milliseconds)
  return () => clearTimeout(timer)
}

/** Resolves after some milliseconds, and rejects with the signal's reason when that comes first. */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return endable(signal, (resolve) => after(milliseconds, resolve))
}
