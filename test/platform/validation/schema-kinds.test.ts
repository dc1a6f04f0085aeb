import { expect, test } from 'vitest'
import type { RequestValues } from '../../../server/contract/parameters.ts'
import { toList, toObject } from '../../../server/description/json.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { createSmallApi, type SmallOperation } from './support/small-api.ts'

/** A kind of schema, with values that fit it, and others with the place that does not. */
interface Kind {
  readonly what: string
  readonly schema: unknown
  readonly valid: readonly unknown[]
  readonly invalid: readonly (readonly [value: unknown, pointer: string])[]
}

const ref = (pointer: string, beside: object = {}) => ({ $ref: `#/${pointer}`, ...beside })
const objectOf = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  ...more,
})
/** An object whose members are required, and no others are allowed. */
const closedOf = (properties: object) =>
  objectOf(properties, { required: Object.keys(properties), additionalProperties: false })

const small = { type: 'integer', minimum: 1, maximum: 9 }
const text = { type: 'string' }
const point = { type: 'array', prefixItems: [{ type: 'number' }, text], minItems: 2, items: false }
const cents = { type: 'number', multipleOf: 0.01 }

const schemas = {
  Box: objectOf({ size: ref('components/schemas/Box/$defs/Size') }, { $defs: { Size: small } }),
  Unit: objectOf({ size: small, sizes: { type: 'array', items: small } }),
  Tree: objectOf({
    size: small,
    children: { type: 'array', items: ref('components/schemas/Tree/properties/node') },
    node: objectOf({ tree: ref('components/schemas/Tree') }),
  }),
  Either: { anyOf: [small, objectOf({ wide: small })] },
  Code: { type: 'string' },
  'a.b-c_d': objectOf({ 'x/y~z': small, 'ä %': small }),
}

/** Names that objects inherit members by. */
const inherited = ['hasOwnProperty', 'constructor', 'valueOf', 'toString', '__proto__']
const ofInherited = (value: unknown) => Object.fromEntries(inherited.map((name) => [name, value]))

const kinds: readonly Kind[] = [
  {
    what: 'a reference into $defs of a component',
    schema: ref('components/schemas/Box'),
    valid: [{ size: 1 }, {}],
    invalid: [[{ size: 0 }, '/size']],
  },
  {
    what: 'a reference to a property of a component',
    schema: objectOf({ size: ref('components/schemas/Unit/properties/size') }),
    valid: [{ size: 9 }],
    invalid: [[{ size: 10 }, '/size']],
  },
  {
    what: 'a reference to the items of a property',
    schema: { type: 'array', items: ref('components/schemas/Unit/properties/sizes/items') },
    valid: [[], [1, 9]],
    invalid: [[[1, 'a'], '/1']],
  },
  {
    what: 'a reference to an item of anyOf',
    schema: ref('components/schemas/Either/anyOf/1'),
    valid: [{ wide: 1 }],
    invalid: [[{ wide: 0 }, '/wide']],
  },
  {
    what: 'a reference with escapes',
    schema: objectOf({
      a: ref('components/schemas/a.b-c_d/properties/x~1y~0z'),
      b: ref('components/schemas/a.b-c_d/properties/%C3%A4%20%25'),
    }),
    valid: [{ a: 1, b: 2 }],
    invalid: [
      [{ a: 0 }, '/a'],
      [{ b: 0 }, '/b'],
    ],
  },
  {
    what: 'a reference to the schema of another body',
    schema: ref('paths/~1requests~10/post/requestBody/content/application~1json/schema'),
    valid: [{ size: 1 }],
    invalid: [[{ size: 0 }, '/size']],
  },
  {
    what: 'a schema that refers to itself through a part',
    schema: ref('components/schemas/Tree'),
    valid: [{ size: 1, children: [{ tree: { size: 2 } }] }],
    invalid: [[{ children: [{ tree: { size: 0 } }] }, '/children/0/tree/size']],
  },
  {
    what: 'keywords beside a reference',
    schema: ref('components/schemas/Unit/properties/size', { maximum: 5 }),
    valid: [5],
    invalid: [
      [6, ''],
      [0, ''],
    ],
  },
  {
    what: 'multiples of 0.01',
    schema: cents,
    valid: [19.99, 0.07, 0.29, 4.35, 0, -0.01, 12345678901.23, 1e21],
    invalid: [
      [0.001, ''],
      [19.999, ''],
      [12345678901.234, ''],
      [1e-7, ''],
    ],
  },
  {
    what: 'multiples of 0.1',
    schema: { type: 'number', multipleOf: 0.1 },
    valid: [0.3, 1.1, 100],
    invalid: [[0.35, '']],
  },
  {
    what: 'multiples of 1e-7 and of 2.5',
    schema: closedOf({ a: { type: 'number', multipleOf: 1e-7 }, b: { multipleOf: 2.5 } }),
    valid: [{ a: 3e-7, b: 7.5 }],
    invalid: [
      [{ a: 3.5e-7, b: 5 }, '/a'],
      [{ a: 0, b: 6 }, '/b'],
    ],
  },
  {
    what: 'multiples of an integer',
    schema: { type: 'integer', multipleOf: 3 },
    valid: [9, -9, 0],
    invalid: [[10, '']],
  },
  {
    what: 'a tuple',
    schema: point,
    valid: [[1.5, 'a']],
    invalid: [
      [[1.5], ''],
      [['a', 'a'], '/0'],
      [[1, 2], '/1'],
      [[1, 'a', 3], ''],
    ],
  },
  {
    what: 'a tuple with further items, in a property',
    schema: closedOf({ at: { type: 'array', prefixItems: [small], items: text, maxItems: 3 } }),
    valid: [{ at: [] }, { at: [1, 'a', 'b'] }],
    invalid: [
      [{ at: [1, 2] }, '/at/1'],
      [{ at: ['a'] }, '/at/0'],
    ],
  },
  {
    what: 'a tuple of tuples',
    schema: { type: 'array', prefixItems: [point, point], minItems: 2, maxItems: 2 },
    valid: [
      [
        [1, 'a'],
        [2, 'b'],
      ],
    ],
    invalid: [[[[1, 'a'], [2]], '/1']],
  },
  {
    what: 'a tuple whose further items are not evaluated',
    schema: { type: 'array', prefixItems: [small], minItems: 1, unevaluatedItems: false },
    valid: [[1]],
    invalid: [[[1, 1], '/1']],
  },
  {
    what: 'names that objects inherit, closed',
    schema: closedOf(ofInherited(text)),
    valid: [ofInherited('a')],
    invalid: [
      [{ ...ofInherited('a'), constructor: 1 }, '/constructor'],
      [{ ...ofInherited('a'), ['__proto__']: 1 }, '/__proto__'],
      [{ ...ofInherited('a'), isPrototypeOf: 'a' }, '/isPrototypeOf'],
    ],
  },
  ...inherited.map((name) => ({
    what: `a required property called ${name}`,
    schema: objectOf({ [name]: small }, { required: [name] }),
    valid: [{ [name]: 1 }],
    invalid: [
      [{}, `/${name}`],
      [{ [name]: 0 }, `/${name}`],
    ] as const,
  })),
  ...inherited.map((name) => ({
    what: `an optional property called ${name}`,
    schema: objectOf({ [name]: small, other: text }, { unevaluatedProperties: false }),
    valid: [{}, { other: 'a' }, { [name]: 1 }],
    invalid: [[{ [name]: 'a' }, `/${name}`]] as const,
  })),
  {
    what: 'a body of any JSON',
    schema: true,
    valid: [1, 'a', [], {}, null, false],
    invalid: [],
  },
  {
    what: 'a property that may be anything, and one that may not be there',
    schema: objectOf({ any: true, none: false }),
    valid: [{}, { any: { a: [1] } }],
    invalid: [[{ none: 1 }, '/none']],
  },
  {
    what: 'items of any JSON, and no items',
    schema: objectOf({
      any: { type: 'array', items: true },
      none: { type: 'array', items: false },
    }),
    valid: [{ any: [1, 'a', null], none: [] }],
    invalid: [[{ none: [1] }, '/none/0']],
  },
  {
    what: 'boolean schemas in allOf, anyOf, not and contains',
    schema: {
      allOf: [true, { anyOf: [false, { type: 'array', contains: true }] }],
      not: false,
    },
    valid: [[1]],
    invalid: [['a', '']],
  },
  {
    what: 'boolean schemas of additional properties and names',
    schema: objectOf({}, { additionalProperties: true, propertyNames: true }),
    valid: [{ a: 1 }],
    invalid: [[1, '']],
  },
  {
    what: 'a property whose enum is empty',
    schema: objectOf({ flags: { type: 'integer', enum: [] } }),
    valid: [{}],
    invalid: [[{ flags: 1 }, '/flags']],
  },
  {
    what: 'a pattern with a hyphen behind a class',
    schema: { type: 'string', pattern: '^[\\w-.]+$' },
    valid: ['a-b.c'],
    invalid: [['a b', '']],
  },
  {
    what: 'a pattern with an escaped hyphen',
    schema: { type: 'string', pattern: '^a\\-b$' },
    valid: ['a-b'],
    invalid: [['a', '']],
  },
  {
    what: 'names of properties by a pattern that needs no flag u',
    schema: {
      type: 'object',
      patternProperties: { '^x\\-': small },
      additionalProperties: false,
    },
    valid: [{ 'x-a': 1 }],
    invalid: [
      [{ 'x-a': 0 }, '/x-a'],
      [{ y: 1 }, '/y'],
    ],
  },
  {
    what: 'a pattern that needs the flag u',
    schema: { type: 'string', pattern: '^\\p{L}.$', examples: ['ab'] },
    valid: ['ä\u{1F43E}'],
    invalid: [['1a', '']],
  },
]

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const echo = ({ body }: RequestValues) => ({ status: 200, body })
const requestBody = { required: true, ...json(true) }

/** Three operations of each kind: it is the schema of a request, of a response, and of a sample. */
const operations = kinds.flatMap(({ schema }, index): SmallOperation[] => [
  {
    ...{ method: 'post', path: `/requests/${index}` },
    requestBody: { ...json(schema), required: true },
    response: json(true),
    handler: echo,
  },
  {
    ...{ method: 'post', path: `/responses/${index}` },
    requestBody,
    response: json(schema),
    handler: echo,
  },
  {
    ...{ method: 'get', path: `/samples/${index}` },
    response: json(schema),
    handler: 'sampled',
  },
])

/** Starts a service on operations; returns a function that sends it requests, below the base path. */
async function start(served: readonly SmallOperation[]) {
  const { send, baseUrl, origin } = await startServiceOf(createSmallApi(served, schemas))
  const base = baseUrl.slice(origin.length)
  return async (path: string, init?: Parameters<typeof send>[1]) => {
    const response = await send(base + path, init)
    return { status: response.status, body: await response.json() }
  }
}

test('values of each kind of schema are accepted and sent, others are rejected and not sent, and samples are valid', async () => {
  const ask = await start(operations)
  for (const [index, { what, valid, invalid }] of kinds.entries()) {
    for (const value of valid) {
      const echoed = { status: 200, body: value }
      const json = JSON.stringify(value)
      expect.soft(await ask(`/requests/${index}`, { json }), what).toEqual(echoed)
      expect.soft(await ask(`/responses/${index}`, { json }), what).toEqual(echoed)
    }
    for (const [value, pointer] of invalid) {
      const json = JSON.stringify(value)
      const { status, body } = await ask(`/requests/${index}`, { json })
      expect.soft([status, pathsOf(body)], `${what}: ${json}`).toEqual([400, [`/body${pointer}`]])
      const sent = await ask(`/responses/${index}`, { json })
      expect.soft(sent.status, `${what}: ${json}`).toBe(500)
    }
    expect.soft((await ask(`/samples/${index}`)).status, what).toBe(200)
  }
})

/** Returns the places that an error names. */
function pathsOf(body: unknown): readonly unknown[] {
  const details = toList(toObject(body)['details'])
  return [...new Set(details.map((detail) => toObject(detail)['path']))]
}

/** A kind of schema of a parameter, with texts that fit it, and others with the place that does not. */
interface ParameterKind {
  readonly what: string
  readonly schema: unknown
  /** `value` unless set. */
  readonly name?: string
  readonly valid: readonly (readonly [query: string, value: unknown])[]
  readonly invalid: readonly (readonly [query: string, pointer: string])[]
}

const parameterKinds: readonly ParameterKind[] = [
  {
    what: 'a reference to a property of a component',
    schema: ref('components/schemas/Unit/properties/size'),
    valid: [['value=9', 9]],
    invalid: [['value=10', '']],
  },
  {
    what: 'a reference into $defs of a component, and keywords beside it',
    schema: ref('components/schemas/Box/$defs/Size', { maximum: 5 }),
    valid: [['value=5', 5]],
    invalid: [['value=6', '']],
  },
  {
    what: 'a list whose items are a reference to items',
    schema: { type: 'array', items: ref('components/schemas/Unit/properties/sizes/items') },
    valid: [['value=1&value=9', [1, 9]]],
    invalid: [['value=1&value=10', '/1']],
  },
  {
    what: 'a list that is a reference to a property, with other bounds',
    schema: { allOf: [ref('components/schemas/Unit/properties/sizes'), { maxItems: 1 }] },
    valid: [['value=1', [1]]],
    invalid: [['value=1&value=2', '']],
  },
  {
    what: 'multiples of 0.01',
    schema: cents,
    valid: [
      ['value=19.99', 19.99],
      ['value=4.35', 4.35],
    ],
    invalid: [['value=0.001', '']],
  },
  {
    what: 'a pattern that needs no flag u',
    schema: { type: 'string', pattern: '^[\\w-.]+$' },
    valid: [['value=a-b.c', 'a-b.c']],
    invalid: [['value=a%20b', '']],
  },
  {
    what: 'anything',
    schema: true,
    valid: [['value=1e2', '1e2']],
    invalid: [['value=', '']],
  },
  { what: 'nothing', schema: false, valid: [], invalid: [['value=1', '']] },
  {
    what: 'a text that looks like JSON',
    schema: { allOf: [ref('components/schemas/Code'), { minLength: 2 }] },
    valid: [
      ['value=1e2', '1e2'],
      ['value=null', 'null'],
      ['value=%7B%22a%22%3A1%7D', '{"a":1}'],
    ],
    invalid: [['value=1', '']],
  },
  ...[...inherited.slice(0, -1), 'page[size]', 'a.b/c~d', 'ä'].map((name) => ({
    what: `a parameter called ${name}`,
    schema: small,
    name,
    valid: [[`${encodeURIComponent(name)}=3`, 3]] as const,
    invalid: [[`${encodeURIComponent(name)}=0`, '']] as const,
  })),
]

const integer = { name: 'n', in: 'query', schema: { type: 'integer' } }
const parameterOperations = parameterKinds.map(
  ({ schema, name = 'value' }, index): SmallOperation => ({
    ...{ method: 'get', path: `/parameters/${index}` },
    parameters: [{ name, in: 'query', schema }, integer],
    response: json(true),
    handler: ({ query }) => ({ status: 200, body: { value: query[name] } }),
  }),
)

test('values of each kind of parameter are accepted, and others are rejected with their place', async () => {
  const ask = await start(parameterOperations)
  for (const [index, { what, name = 'value', valid, invalid }] of parameterKinds.entries()) {
    const own = `/query/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    for (const [query, value] of valid) {
      const path = `/parameters/${index}?${query}`
      expect.soft(await ask(path), what).toEqual({ status: 200, body: { value } })
      // What explains the rejection finds nothing wrong with the value either.
      const { body } = await ask(`${path}&n=0x10`)
      expect.soft(pathsOf(body), what).toEqual(['/query/n'])
    }
    for (const [query, pointer] of invalid) {
      const { status, body } = await ask(`/parameters/${index}?${query}`)
      expect.soft([status, pathsOf(body)], `${what}: ${query}`).toEqual([400, [own + pointer]])
    }
  }
})
