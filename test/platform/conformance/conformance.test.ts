import { expect, test } from 'vitest'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { casesOf } from '../../helpers/conformance/cases.ts'
import { testConformance } from '../../helpers/conformance/conformance.ts'
import { readDescription } from '../../helpers/conformance/description.ts'

testConformance(fixtureApi)

/** The kinds of cases, valid or invalid, that each part of a request has. */
const kinds = {
  path: 'type minimum maximum minLength maxLength string',
  query: 'type enum maximum exclusiveMinimum maxItems uniqueItems repeated unknown',
  cookie: 'type minimum maximum',
  header: 'pattern minLength maxLength string',
  body: `enum exclusiveMinimum maxItems maxLength maxProperties minLength minProperties minimum
    missing multipleOf pattern required string type uniqueItems`,
}

test('every part of a request has cases of each kind', () => {
  const description = readDescription(fixtureApi.description)
  const checks = description.operations.flatMap((operation) => {
    const { accepted, rejected } = casesOf(description, operation)
    return [...accepted, ...rejected].map(({ check }) => check)
  })
  const wanted = Object.entries(kinds).flatMap(([part, list]) =>
    list.split(/\s+/).map((kind) => `${part}: ${kind}`),
  )
  expect(checks).toEqual(expect.arrayContaining([...wanted, 'body: unknown field', 'no key']))
})
