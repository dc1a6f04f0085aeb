import { readServedApi } from '../../server/api.ts'
import { readExtent, testConformance } from '../helpers/conformance/conformance.ts'

// Other values than in every run: each round has a seed of its own, which a report names.
testConformance(readServedApi(), readExtent({ seed: Date.now() % 2 ** 31, runs: 10 }))
