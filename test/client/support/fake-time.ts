import { vi } from 'vitest'

/**
 * Lets fake time pass until some work is done, but none while it is busy; gives the minutes that it
 * took, and throws when nothing is left that it could be waiting for.
 */
export async function passUntilDone(
  work: Promise<unknown>,
  isBusy: () => boolean = () => false,
): Promise<number> {
  const from = Date.now()
  let isOver = false
  const end = (): void => {
    isOver = true
  }
  work.then(end, end)
  for (;;) {
    // What needs no time comes first: bodies are read, answers are passed on.
    for (let turn = 0; turn < 3 || isBusy(); turn++) await new Promise(setImmediate)
    if (isOver) break
    if (vi.getTimerCount() === 0) throw new Error('It waits for nothing, and will never be done.')
    await vi.advanceTimersToNextTimerAsync()
  }
  await work
  return (Date.now() - from) / 60_000
}
