import { expect, test } from 'vitest'
import { requestCases } from '../../helpers/conformance/cases.ts'
import { startBench, testConformance } from '../../helpers/conformance/conformance.ts'
import { fixtureWith } from '../../helpers/fixture-service.ts'

testConformance(fixtureWith())

test('each keyword has cases, in every place of a request of the fixture API', async () => {
  const { description, values } = await startBench(fixtureWith(), 1)
  const cases = description.operations.flatMap((operation) => {
    return Object.values(requestCases(values, operation)).flat()
  })
  const checks = new Set(cases.map(({ check }) => check))
  // A check names a place and a keyword: fewer are cases that have been lost.
  expect(checks.size).toBeGreaterThanOrEqual(71)
})
