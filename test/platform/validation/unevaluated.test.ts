import { expect, test } from 'vitest'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { startFixtureWith, tools } from '../../helpers/fixture-service.ts'

/** A schema that allows no other members, with values and the members of each that it rejects. */
interface Row {
  readonly schema: object
  readonly values: readonly (readonly [value: unknown, rejected: readonly string[]])[]
}

const base = { type: 'object', properties: { kind: { enum: ['big', 'small'] } } }
const whenBig = { properties: { kind: { const: 'big' } }, required: ['kind'] }
const sizes = { properties: { size: { type: 'integer' } } }
const weights = { properties: { weight: { type: 'integer' } } }
const closed = { unevaluatedProperties: false }
// biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
const condition = { if: whenBig, then: sizes, else: weights }

const rows: Readonly<Record<string, Row>> = {
  'if, then and else beside allOf': {
    schema: { allOf: [base], ...condition, ...closed },
    values: [
      [{}, []],
      [{ kind: 'small' }, []],
      [{ kind: 'small', weight: 1 }, []],
      [{ kind: 'small', size: 1 }, ['/size']],
      [{ kind: 'big', size: 1 }, []],
      [{ kind: 'big', size: 1, weight: 1, colour: 1 }, ['/weight', '/colour']],
      [{ kind: 'big', size: 'a' }, ['/size']],
    ],
  },
  'if, then and else in allOf': {
    schema: { allOf: [base, condition], ...closed },
    values: [
      [{ kind: 'small', weight: 1 }, []],
      [{ kind: 'big', weight: 1 }, ['/weight']],
    ],
  },
  'if alone': {
    schema: { if: whenBig, ...closed },
    values: [
      [{ kind: 'big' }, []],
      // The condition that is not met says nothing about its properties.
      [{ kind: 'small' }, ['/kind']],
    ],
  },
  'if and else': {
    schema: { type: 'object', if: whenBig, else: { required: ['kind'] }, ...closed },
    values: [
      [{ kind: 'big' }, []],
      [{ kind: 'small' }, ['/kind']],
    ],
  },
  'patternProperties beside oneOf, which throws in Ajv': {
    schema: { patternProperties: { '^x-': {} }, oneOf: [{ required: ['x-a'] }, sizes], ...closed },
    values: [
      [{ 'x-b': 1, size: 1 }, []],
      [{ 'x-b': 1, weight: 1 }, ['/weight']],
    ],
  },
  'anyOf, dependentSchemas and dependentRequired': {
    schema: {
      ...base,
      anyOf: [{ ...sizes, required: ['size'] }, weights],
      dependentSchemas: { kind: { properties: { colour: {} } } },
      dependentRequired: { colour: ['weight'] },
      ...closed,
    },
    values: [
      [{ weight: 1 }, []],
      [{ size: 1, weight: 1, kind: 'big', colour: 1 }, []],
      [{ weight: 1, colour: 1 }, ['/colour']],
      [{ kind: 'big', colour: 1 }, ['/weight']],
    ],
  },
  'other members by a schema': {
    schema: { ...base, ...condition, unevaluatedProperties: { type: 'boolean' } },
    values: [
      [{ kind: 'small', size: true }, []],
      [{ kind: 'small', size: 1, other: 2 }, ['/size', '/other']],
    ],
  },
  'items that contains describes': {
    schema: {
      type: 'array',
      contains: { type: 'string' },
      if: { contains: { const: 'numbers' } },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
      then: { items: { type: ['number', 'string'] } },
      unevaluatedItems: false,
    },
    values: [
      [['a', 'b'], []],
      [['a', 1], ['/1']],
      [['numbers', 1], []],
    ],
  },
}

const names = Object.keys(rows)
const properties = Object.fromEntries(
  Object.values(rows).map(({ schema }, at) => [`c${at}`, schema]),
)
const queryNames = {
  in: 'query',
  name: 'tag',
  schema: { type: 'array', items: { type: 'string' } },
}
const { createTool } = fixtureApi.operations
const query = { tag: { required: false, type: 'array', items: { type: 'string' } } }
const service = {
  handlers: { createTool: () => ({ status: 201, body: { id: 1, kind: 'saw', name: 'Ryoba' } }) },
  operations: { createTool: { parameters: { ...createTool?.parameters, query } } },
  edit({ paths }: typeof import('../../fixture-api/generated/openapi.json')) {
    const { post } = paths['/tools']
    Object.assign(post.requestBody.content['application/json'], { schema: { properties } })
    Object.assign(post.parameters, { 1: queryNames })
  },
}

// With an array in the query, express-openapi-validator sees the body, too.
test.for(['', '?tag=a&tag=b'])(
  'members beside if, anyOf, oneOf and dependent schemas are known to unevaluatedProperties and unevaluatedItems%s',
  async (search) => {
    const { ask } = await startFixtureWith(service)
    for (const [index, name] of names.entries()) {
      for (const [value, rejected] of rows[name]?.values ?? []) {
        const { status, details } = await ask(tools + search, { json: { [`c${index}`]: value } })
        const paths =
          details === undefined ? [] : (details as { path: string }[]).map(({ path }) => path)
        const expected = rejected.map((path) => `/body/c${index}${path}`)
        const seen = { name, value, status, paths: paths.sort() }
        const wanted = rejected.length === 0 ? 201 : 400
        expect(seen).toEqual({ name, value, status: wanted, paths: expected.sort() })
      }
    }
  },
)
