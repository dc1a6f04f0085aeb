import { expect, test } from 'vitest'
import { runKillRounds } from './kill-rounds.ts'

// Two services at once: one writes while the other one starts.
test.concurrent.for(['east', 'west'])(
  'every acknowledged create is stored once after each of 100 kills under eight writers (%s)',
  { timeout: 1_800_000 },
  async () => {
    expect(await runKillRounds(100)).toBeGreaterThan(100)
  },
)
