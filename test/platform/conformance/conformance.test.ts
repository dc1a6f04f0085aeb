import { expect, test } from 'vitest'
import { samplesOf } from '../../../scripts/checks/responses-step.ts'
import { requestCases } from '../../helpers/conformance/cases.ts'
import { startBench, testConformance } from '../../helpers/conformance/conformance.ts'
import { readDescription } from '../../helpers/conformance/description.ts'
import { validRequests } from '../../helpers/conformance/requests.ts'
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

const street = { name: 'straße', in: 'path', required: true, schema: { enum: ['a'] } }
const described = {
  paths: { '/{any}': { get: {} }, '/größe/{straße}': { get: { parameters: [street] } } },
}

test('the check sends paths as HTTP has them, and one that no template matches', () => {
  const targets = samplesOf(described).map(({ bytes }) => bytes.split(' ')[1])
  expect(targets).toContain('/gr%C3%B6%C3%9Fe/0?unknown-parameter=1')
  expect(targets).toContain('/unknown-path/unknown-path/unknown-path')
})

test('a path that is not ASCII is sent encoded', () => {
  const { paths } = described
  const description = readDescription({ paths: { '/größe/{straße}': paths['/größe/{straße}'] } })
  const [request] = validRequests(description)
  expect(request).toMatchObject({ path: '/gr%C3%B6%C3%9Fe/a' })
  expect(description.find('GET', request?.path ?? '')).toBeDefined()
})
