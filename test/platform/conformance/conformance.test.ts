import { afterAll, expect, test } from 'vitest'
import type { Api } from '../../../server/api.ts'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import {
  casesOf,
  findViolations,
  printCounts,
  sharedCases,
} from '../../helpers/conformance/conformance.ts'
import { readDescription } from '../../helpers/conformance/description.ts'
import { createBench, readExtent } from '../../helpers/conformance/run.ts'
import { createGenerator } from '../../helpers/conformance/variations.ts'
import { fixtureWith } from '../../helpers/fixture-with.ts'
import { startTestService } from '../../helpers/service.ts'

const plain = fixtureWith()
const described = readDescription(JSON.parse(JSON.stringify(plain.description)))
const extent = readExtent()
const tried = new Map<string, number>()

afterAll(() => printCounts(tried, extent))

async function startFixtureBench(api: Api = plain) {
  const environment = { ANONYMOUS_PER_MINUTE: '1000000' }
  const service = await startTestService(environment, undefined, {}, undefined, api)
  return createBench(readDescription(JSON.parse(JSON.stringify(api.description))), service)
}

test.for(described.operations)(
  '$operationId accepts valid requests and rejects each violation',
  { timeout: 120_000 },
  async (operation) => {
    const bench = await startFixtureBench()
    const cases = casesOf(bench.generator, operation)
    expect(await findViolations(cases, bench, extent, tried)).toEqual([])
  },
)

test('created resources are read back, and each path has its methods and no others', async () => {
  const bench = await startFixtureBench()
  expect(await findViolations(sharedCases(bench.generator), bench, extent, tried)).toEqual([])
})

test('every keyword has cases, in every place of a request', () => {
  const generator = createGenerator(described)
  const { unchanging, others } = sharedCases(generator)
  const all = described.operations.map((operation) => casesOf(generator, operation))
  const checks = [
    ...unchanging,
    ...others,
    ...all.flatMap((one) => [...one.unchanging, ...one.others]),
  ]
  const body = [
    ...[
      'const',
      'exclusiveMinimum',
      'format',
      'maxItems',
      'maxLength',
      'maxProperties',
      'minItems',
    ],
    ...['minLength', 'minProperties', 'minimum', 'media type', 'missing', 'multipleOf', 'not JSON'],
    ...['required', 'too large', 'type', 'uniqueItems', 'unknown field'],
  ].map((what) => `body: ${what}`)
  expect(checks.map(({ check }) => check)).toEqual(
    expect.arrayContaining([
      ...body,
      ...['path: type', 'path: minimum', 'path: maximum', 'path: minLength', 'path: maxLength'],
      ...[
        'query: type',
        'query: enum',
        'query: maximum',
        'query: exclusiveMinimum',
        'query: maxItems',
      ],
      ...['query: uniqueItems', 'query: repeated', 'query: unknown', 'query: not UTF-8'],
      ...[
        'cookie: type',
        'cookie: minimum',
        'cookie: maximum',
        'header: format',
        'header: pattern',
      ],
      ...['header: minLength', 'header: maxLength', 'header: repeated', 'accepted: enum'],
      ...['accepted: minimum', 'accepted: maxLength', 'accepted: minItems', 'accepted: required'],
      ...['credential: missing', 'credential: malformed', 'HEAD: credential missing', 'accept'],
      ...['method: HEAD', 'method: OPTIONS', 'method: undeclared', 'path: unknown', 'repeated'],
      ...['read back', 'existing: GET', 'existing: PUT', 'existing: PATCH', 'existing: DELETE'],
    ]),
  )
})

test('a body that is chosen by a discriminator is rejected like others', async () => {
  const bench = await startFixtureBench(fixtureApi)
  const operation = bench.generator.description.find('POST', '/lending/v2/tools')
  if (operation === undefined) throw new Error('There is no such operation.')
  const { unchanging } = casesOf(bench.generator, operation)
  const cases = { unchanging: unchanging.filter(({ check }) => check === 'body: type'), others: [] }
  expect(await findViolations(cases, bench, { ...extent, stopsEarly: true })).toEqual([])
})
