import { expect, test } from 'vitest'
import { startFixtureWith, tools } from '../../helpers/fixture-service.ts'
import type { TestService } from '../../helpers/service.ts'

const maxBytes = 100_000
const requestBody = { required: true, mediaTypes: ['application/json'], maxBytes }

/** Forms of a `oneOf`: each requires a property of its own. */
const forms = Array.from({ length: 8 }, (_, index) => ({
  type: 'object',
  required: [`a${index}`],
  properties: { [`a${index}`]: { type: 'integer' } },
  additionalProperties: false,
}))
const integer = { type: 'integer' }
const integers = { type: 'array', items: integer }

/** Properties of a body, each of which accepts and rejects its values with another keyword. */
const properties = {
  any: { type: 'object' },
  additional: { type: 'object', additionalProperties: integer },
  unevaluated: { allOf: [{ patternProperties: { '^a': true } }], unevaluatedProperties: false },
  names: { type: 'object', propertyNames: { pattern: '^a' } },
  patterns: { type: 'object', patternProperties: { '^a': integer, '^b': integer } },
  items: integers,
  referred: { type: 'array', items: { $ref: '#/components/schemas/Item' } },
  nested: { type: 'array', items: { type: 'array', items: integers } },
  unique: { type: 'array', uniqueItems: true, items: integers },
  oneOf: { type: 'array', items: { oneOf: forms } },
}

const join = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join()
const members = (start: string, value: string) =>
  `{${join(9_000, (index) => `"${start}${index}":${value}`)}}`
const list = (count: number, write: (index: number) => string) => `[${join(count, write)}]`

/** Bodies with thousands of violations, each beside one that is accepted and as large. */
const rows: readonly (readonly [what: string, rejected: string, accepted: string])[] = [
  ['unknown members', members('a', '1').replace('{', '{"any":{},'), `{"any":${members('a', '1')}}`],
  ...row('additional', members('a', '"'.repeat(2)), members('a', '1')),
  ...row('unevaluated', members('b', '1'), members('a', '1')),
  ...row('names', members('b', '1'), members('a', '1')),
  ...row('patterns', members('b', '""'), members('a', '1')),
  ...row(
    'items',
    list(9_000, () => '""'),
    list(9_000, () => '1'),
  ),
  ...row(
    'items',
    list(30_000, () => '""'),
    list(30_000, () => '1'),
  ),
  ...row(
    'referred',
    list(8_000, () => '{"next":0}'),
    list(8_000, () => '{"next":{}}'),
  ),
  ...row(
    'nested',
    list(9_000, () => '[[""]]'),
    list(9_000, () => '[[1]]'),
  ),
  ...row(
    'unique',
    list(9_000, () => '[0]'),
    list(9_000, (index) => `[${index}]`),
  ),
  ...row(
    'oneOf',
    list(9_000, () => '{"b0":1}'),
    list(9_000, (index) => `{"a${index % 8}":1}`),
  ),
]

function row(name: string, rejected: string, accepted: string) {
  return [[name, `{"${name}":${rejected}}`, `{"${name}":${accepted}}`]] as const
}

test.for(rows)(
  'a body with thousands of violations costs at most three times the CPU of an accepted one of its size: %s',
  async ([, rejected, accepted]) => {
    const service = await startWith(properties)
    const costs = { rejected: [] as number[], accepted: [] as number[] }
    // The first rounds load and compile code, and some collect garbage.
    for (let round = 0; round < 5; round++) {
      costs.rejected.push(await costOf(service, rejected.padEnd(maxBytes), 400))
      costs.accepted.push(await costOf(service, accepted.padEnd(maxBytes), 204))
    }
    expect(Math.min(...costs.rejected) / Math.min(...costs.accepted)).toBeLessThanOrEqual(3)
  },
)

test('thousands of unique items cost at most ten times the CPU of items that need not be unique', async () => {
  const { unique } = properties
  const service = await startWith({ unique, free: { ...unique, uniqueItems: false } })
  const items = list(10_000, (index) => `[${index}]`)
  const costs = { unique: [] as number[], free: [] as number[] }
  for (let round = 0; round < 5; round++) {
    costs.unique.push(await costOf(service, `{"unique":${items}}`, 204))
    costs.free.push(await costOf(service, `{"free":${items}}`, 204))
  }
  expect(Math.min(...costs.unique) / Math.min(...costs.free)).toBeLessThanOrEqual(10)
})

/** Starts a service that accepts bodies with some properties. */
function startWith(declared: object): Promise<TestService> {
  return startFixtureWith({
    handlers: { createTool: () => ({ status: 204 }) },
    operations: { createTool: { requestBody } },
    edit({ paths, components }) {
      const { post } = paths['/tools']
      post.responses[204] = paths['/tools/{toolId}'].delete.responses[204]
      const content = post.requestBody.content['application/json']
      content.schema = { type: 'object', properties: declared, additionalProperties: false }
      components.schemas.Item = {
        type: 'object',
        properties: { next: { $ref: '#/components/schemas/Item' } },
      }
    },
  })
}

/** Returns the CPU time of this thread for some requests, which does not depend on other processes. */
async function costOf({ send }: TestService, body: string, status: number): Promise<number> {
  const before = process.threadCpuUsage()
  for (let count = 0; count < 5; count++) {
    const response = await send(tools, { json: body })
    await response.arrayBuffer()
    expect(response.status).toBe(status)
  }
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}
