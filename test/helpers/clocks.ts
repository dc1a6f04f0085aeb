import { onTestFinished, vi } from 'vitest'

/** Stops the clocks, the monotonic one, too, until the end of the test. */
export function stopClocks(now = Date.UTC(2026, 10, 20, 12)): void {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now })
  onTestFinished(() => void vi.useRealTimers())
  // A cache takes a start at 0 for none.
  vi.advanceTimersByTime(1)
}
