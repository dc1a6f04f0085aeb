import { afterEach, expect, test, vi } from 'vitest'
import { createProgress } from '../../../server/bulk/progress.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** Tells of a hundred steps, half a second each, and gives what is shown of them. */
function show(screen: { readonly isTTY: boolean; readonly columns?: number }): string[] {
  vi.useFakeTimers({ toFake: ['performance'] })
  const written: string[] = []
  const progress = createProgress({ ...screen, write: (text) => written.push(text) })
  for (let step = 1; step <= 100; step++) {
    vi.advanceTimersByTime(500)
    progress.tell(step, 100, () => `${step} steps`)
  }
  progress.end()
  return written
}

test('a terminal shows a bar in one line, which is gone at the end', () => {
  const written = show({ isTTY: true, columns: 48 })
  expect(written).toHaveLength(101)
  expect(written[49]).toBe(`\r\u001B[K${'█'.repeat(12)}${'░'.repeat(12)}  50 %  50 steps`)
  expect(written.every((text) => text.startsWith('\r\u001B[K') && text.length <= 47 + 4)).toBe(true)
  expect(written.at(-1)).toBe('\r\u001B[K')
})

test('a log gets a line every five seconds', () => {
  const written = show({ isTTY: false })
  expect(written).toHaveLength(10)
  expect(written.slice(0, 2)).toEqual(['10 %  10 steps\n', '20 %  20 steps\n'])
})
