import { expect, test } from 'vitest'
import { requestCases } from '../../helpers/conformance/cases.ts'
import { startBench, testConformance } from '../../helpers/conformance/conformance.ts'
import { fixtureWith } from '../../helpers/fixture-service.ts'

testConformance(fixtureWith())

/** Keywords that have cases, valid or invalid, by the part of the request that is changed. */
const keywords = {
  accepted: 'enum minimum maximum minLength maxLength minItems maxItems required',
  path: 'type minimum maximum minLength maxLength',
  query: 'type enum maximum exclusiveMinimum maxItems uniqueItems repeated unknown',
  cookie: 'type minimum maximum',
  header: 'format pattern minLength maxLength repeated',
  credential: 'missing',
  body: `const exclusiveMinimum format maxItems maxLength maxProperties minItems minLength
    minProperties minimum missing multipleOf required type uniqueItems`,
}

test('every keyword has cases, in every part of a request', async () => {
  const { description, values } = await startBench(fixtureWith(), 1)
  const cases = description.operations.flatMap((operation) => {
    return Object.values(requestCases(values, operation)).flat()
  })
  const wanted = Object.entries(keywords).flatMap(([place, list]) =>
    list.split(/\s+/).map((keyword) => `${place}: ${keyword}`),
  )
  const checks = cases.map(({ check }) => check)
  expect(checks).toEqual(expect.arrayContaining([...wanted, 'body: unknown field']))
})
