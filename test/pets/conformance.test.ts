import { afterAll, expect, test } from 'vitest'
import description from '../../generated/openapi.json' with { type: 'json' }
import {
  casesOf,
  findViolations,
  printCounts,
  sharedCases,
} from '../helpers/conformance/conformance.ts'
import { readDescription } from '../helpers/conformance/description.ts'
import { createBench, readExtent } from '../helpers/conformance/run.ts'
import { recordCall } from '../helpers/coverage.ts'
import { startTestService } from '../helpers/service.ts'

// It covers every operation of the description: a new one needs no new line here.
const described = readDescription(description)
const extent = readExtent()
const tried = new Map<string, number>()

afterAll(() => printCounts(tried, extent))

async function startBench() {
  const service = await startTestService({ ANONYMOUS_PER_MINUTE: '1000000' })
  return createBench(described, service, (sent, status) => recordCall(described, sent, status))
}

test.for(described.operations)(
  '$operationId accepts valid requests and rejects each violation',
  { timeout: 120_000 },
  async (operation) => {
    const bench = await startBench()
    const cases = casesOf(bench.generator, operation)
    expect(await findViolations(cases, bench, extent, tried)).toEqual([])
  },
)

test('created pets are read back, and each path has its methods and no others', async () => {
  const bench = await startBench()
  expect(await findViolations(sharedCases(bench.generator), bench, extent, tried)).toEqual([])
})
