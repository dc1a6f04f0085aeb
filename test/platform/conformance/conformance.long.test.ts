import { testConformance } from '../../helpers/conformance/conformance.ts'
import { fixtureWith } from '../../helpers/fixture-service.ts'

// Other values than in every run: each round has a seed of its own, which a report names.
testConformance(fixtureWith(), { seed: Date.now() % 2 ** 31, runs: 10 })
