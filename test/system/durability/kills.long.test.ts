import { expect, test } from 'vitest'
import { engines } from '../../helpers/places/engines.ts'
import { runKillRounds } from './kill-rounds.ts'

test.for(engines)(
  'every acknowledged create is stored once after each of 100 kills under eight writers, in $name',
  { timeout: 1_800_000 },
  async ({ createPlace }) => {
    expect(await runKillRounds(await createPlace(), 100)).toBeGreaterThan(100)
  },
)
