import { expect, test } from 'vitest'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { casesOf } from '../../helpers/conformance/cases.ts'
import { testConformance } from '../../helpers/conformance/conformance.ts'
import { readDescription } from '../../helpers/conformance/description.ts'

testConformance(fixtureApi, undefined, Number.POSITIVE_INFINITY)

/** The keywords that cases violate in each part of a request. */
const kinds = {
  path: 'type minimum maximum minLength maxLength',
  query: `type enum minimum maximum exclusiveMinimum minLength maxLength pattern maxItems uniqueItems
    not additionalProperties repeated`,
  cookies: 'type minimum maximum',
  headers: 'format pattern minLength maxLength',
  body: `const exclusiveMinimum maxItems maxLength maxProperties minLength minProperties minimum
    multipleOf format required type uniqueItems additionalProperties unevaluatedProperties`,
}

test('in every part of a request, cases violate each keyword', () => {
  const description = readDescription(fixtureApi.description)
  const cases = description.operations.flatMap((operation) => casesOf(description, operation))
  const wanted = Object.entries(kinds).flatMap(([part, list]) =>
    list.split(/\s+/).map((kind) => `${part}: ${kind}`),
  )
  const found = new Set(cases.flatMap((one) => one.kinds))
  expect([...found]).toEqual(expect.arrayContaining(wanted))
})
