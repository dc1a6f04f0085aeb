import { expect, test } from 'vitest'
import { requestCases } from '../../helpers/conformance/cases.ts'
import { startBench, testConformance } from '../../helpers/conformance/conformance.ts'
import { fixtureWith } from '../../helpers/fixture-with.ts'

testConformance(fixtureWith())

const valid = 'enum minimum maximum minLength maxLength minItems maxItems required'
const ofParameters: Readonly<Record<string, string>> = {
  path: 'type minimum maximum minLength maxLength',
  query: 'type enum maximum exclusiveMinimum maxItems uniqueItems repeated unknown',
  cookie: 'type minimum maximum',
  header: 'format pattern minLength maxLength repeated',
  credential: 'missing',
}
const ofBodies = `const exclusiveMinimum format maxItems maxLength maxProperties minItems minLength
  minProperties minimum missing multipleOf required type uniqueItems`

test('every keyword has cases, in every place of a request', async () => {
  const bench = await startBench(fixtureWith(), 1)
  const all = bench.description.operations.flatMap((operation) => {
    const { accepted, rejected } = requestCases(bench.values, operation)
    return [...accepted, ...rejected]
  })
  const wanted = Object.entries({ ...ofParameters, accepted: valid, body: ofBodies }).flatMap(
    ([place, keywords]) => keywords.split(/\s+/).map((keyword) => `${place}: ${keyword}`),
  )
  const checks = new Set(all.map(({ check }) => check))
  const missing = [...wanted, 'body: unknown field'].filter((check) => !checks.has(check))
  expect(missing).toEqual([])
})
