import { expect, test } from 'vitest'
import { requestCases } from '../../helpers/conformance/cases.ts'
import { startBench, testConformance } from '../../helpers/conformance/conformance.ts'
import { readDescription } from '../../helpers/conformance/description.ts'
import { validRequests } from '../../helpers/conformance/requests.ts'
import { Values } from '../../helpers/conformance/values.ts'
import { fixtureWith } from '../../helpers/fixture-service.ts'
import { createRandom } from '../../helpers/random.ts'

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

test('a path that is not ASCII is sent encoded', () => {
  const description = readDescription({
    paths: { '/größe/{straße}': { get: { parameters: [street] } } },
  })
  const [request] = validRequests(description)
  expect(request).toMatchObject({ path: '/gr%C3%B6%C3%9Fe/a' })
  expect(description.find('GET', request?.path ?? '')).toBeDefined()
})

const cat = { properties: { kind: { const: 'cat' }, constructor: { type: 'string' } } }
const queries = {
  nullable: { type: ['string', 'null'] },
  listed: { type: ['array', 'null'], items: { type: ['integer', 'null'] } },
  anything: {},
  either: { type: ['integer', 'string'], pattern: '^[0-9]+$' },
}

test('values are made of schemas with several types, with none, and of forms that narrow', () => {
  const parameters = Object.entries(queries).map(([name, schema]) => ({
    name,
    in: 'query',
    schema,
  }))
  const schema = { properties: { kind: { type: 'string' } }, required: ['kind'], oneOf: [cat] }
  const requestBody = { required: true, content: { 'application/json': { schema } } }
  const description = readDescription({ paths: { '/a': { post: { parameters, requestBody } } } })
  const values = new Values(description, createRandom(1))
  const [operation] = description.operations
  if (operation === undefined) throw new Error('There is no operation.')
  const { accepted, rejected } = requestCases(values, operation)
  expect(accepted.map(({ draft }) => draft.body)).toContain('{"kind":"cat"}')
  const texts = [...accepted, ...rejected].flatMap(({ draft }) => [...draft.texts.values()].flat())
  expect(texts).not.toContain('[object Object]')
  const isWrong = (name: string) =>
    rejected.some(({ pointers, check }) => {
      return pointers?.includes(`/query/${name}`) && check !== 'query: repeated'
    })
  expect(Object.keys(queries).filter(isWrong)).toEqual(['listed', 'either'])
})
