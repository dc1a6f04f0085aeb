import { describe } from 'vitest'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { testConformance } from '../../helpers/conformance/conformance.ts'
import { createRandom } from '../../helpers/random.ts'

const seed = Date.now() % 2 ** 31

// The seed is in the report, so that the same requests can be sent again.
describe(`requests with several changes, seed ${seed}`, () =>
  testConformance(
    fixtureApi,
    { requests: 5_000, random: createRandom(seed) },
    Number.POSITIVE_INFINITY,
  ))
