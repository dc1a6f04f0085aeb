import { expect, test } from 'vitest'
import { engines } from '../../helpers/databases/engines.ts'
import { runKillRounds } from './kill-rounds.ts'

test.for(engines)(
  'every acknowledged create is stored once after each of 100 kills under eight writers, in $name',
  { timeout: 1_800_000 },
  async ({ createTestDatabase }) => {
    expect(await runKillRounds(await createTestDatabase(), 100)).toBeGreaterThan(100)
  },
)
