import { readServedApi } from '../../server/api.ts'
import { testConformance } from '../helpers/conformance/conformance.ts'

// Other values than in every run: each round has a seed of its own, which a report names.
testConformance(readServedApi(), { seed: Date.now() % 2 ** 31, runs: 10 })
