import { testKills } from './kill-rounds.ts'

testKills(100, 1_800_000)
