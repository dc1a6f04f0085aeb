import { testKills } from './kill-rounds.ts'

testKills(5, 90_000)
