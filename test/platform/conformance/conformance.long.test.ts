import { describe } from 'vitest'
import { readServedApi } from '../../../server/api.ts'
import { testConformance } from '../../helpers/conformance/conformance.ts'
import { fixtureWith } from '../../helpers/fixture-with.ts'

// Other values than in every run: each round has a seed of its own, which a report names.
const extent = { seed: Date.now() % 2 ** 31, runs: 10 }

describe('the fixture API', () => testConformance(fixtureWith(), extent))
describe('the served API', () => testConformance(readServedApi(), extent))
