import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeClock, runRandomJob } from './support/limited-service.ts'

beforeEach(fakeClock)
afterEach(() => vi.useRealTimers())
afterEach(() => vi.restoreAllMocks())

const seeds = Array.from({ length: 60 }, (_, index) => index + 1)

test.each(seeds)('a paced job gets no 429 and wastes no day (seed %i)', async (seed) => {
  const { calls, perDay, rejections, days } = await runRandomJob(seed, 0)
  expect(rejections).toBe(0)
  expect(days).toBeLessThan(Math.ceil(calls / perDay))
})

test.each(seeds)('a paced job ends although responses are lost (seed %i)', async (seed) => {
  const { rejections, days } = await runRandomJob(seed, 0.3)
  // A lost response may have been counted or not, so the limit of a day may be met.
  expect(rejections).toBeLessThanOrEqual(10 * Math.ceil(days))
})
