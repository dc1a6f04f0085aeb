import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { createContract } from '../../server/contract/contract.ts'
import type { Description, JsonObject } from '../../server/contract/description/description.ts'
import type { Operation } from '../../server/contract/description/operation.ts'
import { createMock } from '../../server/mock/mock.ts'

const operation: Operation = {
  operationId: 'getThing',
  method: 'get',
  path: '/thing',
  security: [],
  parameters: { path: {}, query: { cursor: { required: false } }, header: {}, cookie: {} },
}

const base = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', minLength: 3 } },
}
const tree = {
  type: 'object',
  required: ['leaf'],
  properties: {
    leaf: { const: true },
    below: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
  },
}

function only(name: string, type: string) {
  const properties = { [name]: { type } }
  return { type: 'object', required: [name], properties, additionalProperties: false }
}

/** A description of one operation that answers with this. */
function describe(content: JsonObject, headers: JsonObject = {}): Description {
  const responses = { 200: { description: 'Fine.', headers, content } }
  return {
    openapi: '3.1.0',
    info: { title: 'Thing', version: '1.0.0' },
    paths: { '/thing': { get: { operationId: 'getThing', responses } } },
    components: { schemas: { Base: base, Tree: tree } },
  }
}

function ask(description: Description, prefer: string[] = []) {
  return createMock(description).answer(operation, { prefer, queryNames: [] })
}

test.for<[string, JsonObject]>([
  ['a pattern', { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' }],
  ['bounds and a multiple', { type: 'integer', minimum: 7, maximum: 99, multipleOf: 5 }],
  ['an open bound', { type: 'number', exclusiveMinimum: 0, maximum: 1, multipleOf: 0.01 }],
  ['an enum', { enum: ['a', 'b'] }],
  ['what it may not be', { type: 'integer', minimum: 0, maximum: 3, not: { enum: [0, 1, 2] } }],
  [
    'a closed whole of parts',
    {
      allOf: [
        { $ref: '#/components/schemas/Base' },
        { type: 'object', required: ['id'], properties: { id: { type: 'integer', minimum: 1 } } },
      ],
      unevaluatedProperties: false,
    },
  ],
  [
    'a narrowed part',
    {
      allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { name: { const: 'Thing' } } }],
    },
  ],
  ['one of two', { oneOf: [only('a', 'string'), only('b', 'integer')] }],
  [
    'items that differ',
    { type: 'array', minItems: 3, uniqueItems: true, items: { enum: [1, 2, 3, 4] } },
  ],
  ['a tree', { $ref: '#/components/schemas/Tree' }],
  ['a map', { type: 'object', minProperties: 2, additionalProperties: { type: 'integer' } }],
])('%s is sampled as the schema has it, and always the same', ([, schema]) => {
  const description = describe({ 'application/json': { schema } })
  const { status, body } = ask(description)
  expect(status).toBe(200)
  const ajv = new Ajv2020({ strict: false }).addSchema(description, 'description')
  const place = '/paths/~1thing/get/responses/200/content/application~1json/schema'
  expect([ajv.validate({ $ref: `description#${place}` }, body), body]).toEqual([true, body])
  expect(ask(description).body).toEqual(body)
})

test('what has no sample is an error that says so, never an answer off the contract', () => {
  const schema = { type: 'integer', minimum: 5, maximum: 4 }
  expect(() => ask(describe({ 'application/json': { schema } }))).toThrow(
    /^getThing has no handler, and no sample of its 200 keeps the contract: body .*Prefer: code=…\.$/,
  )
  const wrong = {
    'application/json': { schema: { type: 'integer' }, examples: { a: { value: 'x' } } },
  }
  expect(() => ask(describe(wrong), ['example=a'])).toThrow(/body must be integer/)
  // Whoever did not ask for that example gets another value.
  expect(ask(describe(wrong)).body).toEqual(expect.any(Number))
})

test('headers come from their examples or are sampled, and those that may be missing are', () => {
  const content = { 'application/json': { schema: { const: 1 } } }
  const { headers } = ask(
    describe(content, {
      'X-Shown': { required: true, schema: { type: 'integer' }, example: 7 },
      'X-AtTimes': { schema: { type: 'boolean', const: true }, example: true },
      'X-Required': { required: true, schema: { type: 'string', pattern: '^a+$' } },
      'X-Optional': { schema: { type: 'string' } },
      'X-Wrong': { required: true, schema: { type: 'integer' }, example: 'many' },
      'Cache-Control': { required: true, schema: { const: 'no-store' } },
    }),
  )
  expect(headers).toEqual({
    'X-Shown': 7,
    'X-Required': expect.stringMatching(/^a+$/),
    'X-Wrong': expect.any(Number),
  })
})

test('an answer without a body has none', () => {
  const description = describe({})
  expect(ask(description)).toEqual({ status: 200, headers: {} })
})

test('the contract runs without a handler only with something in its place', async () => {
  const description = describe({})
  const options = {
    description,
    isLinted: true,
    operations: { getThing: operation },
    basePath: '',
    handlers: {},
    authenticates: {},
    waivedHeaders: [],
  }
  const refused = createContract(options)
  await expect(refused).rejects.toThrow(/^Operation getThing has no handler\. .*\.$/)
  expect(await createContract({ ...options, standIn: createMock(description) })).toBeDefined()
})
