import { expect, test } from 'vitest'
import { normalise } from '../../../server/description/normalise.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { createSmallApi } from './support/small-api.ts'

/** Schemas, and what is left of them. */
const schemas: Readonly<Record<string, readonly [given: object, kept: object]>> = {
  'a pattern of another engine': [{ type: 'string', pattern: '(?P<a>b)' }, { type: 'string' }],
  'a pattern of names of another engine': [
    { patternProperties: { '(?i)a': {}, '^b': {} } },
    { patternProperties: { '^b': {} } },
  ],
  'a default null of a type without it': [{ type: 'string', default: null }, { type: 'string' }],
  'a default that is none of the values': [
    { enum: ['a', 'b'], default: 'c' },
    { enum: ['a', 'b'] },
  ],
  'a default beyond a limit': [
    { type: 'integer', minimum: 1, default: 0 },
    { type: 'integer', minimum: 1 },
  ],
  'a default whose type a reference has': [
    { allOf: [{ $ref: '#/components/schemas/Count' }], default: 'many' },
    { allOf: [{ $ref: '#/components/schemas/Count' }] },
  ],
  'nullable in OpenAPI 3.1': [{ type: 'string', nullable: true }, { type: ['string', 'null'] }],
  'nullable without a type in OpenAPI 3.1': [{ maximum: 1, nullable: true }, { maximum: 1 }],
}

function describe(schema: object) {
  const info = { title: 'A', version: '1.0.0' }
  return {
    openapi: '3.1.0',
    info,
    components: { schemas: { A: schema, Count: { type: 'integer' } } },
  }
}

test.for(Object.entries(schemas))(
  '%s has no effect, or that of OpenAPI 3.0',
  ([, [given, kept]]) => {
    expect(normalise(describe(given))).toEqual(describe(kept))
  },
)

test('a description without such keywords is the same object', () => {
  const one = { type: 'integer', minimum: 1, maximum: 1, default: 1 }
  const properties = { name: { type: 'string', pattern: '^a', default: 'a' }, one }
  const description = describe({ type: 'object', properties })
  expect(normalise(description)).toBe(description)
})

test('values are served although their schemas have patterns and defaults that cannot be applied', async () => {
  const parameters = [
    {
      name: 'order',
      in: 'query',
      schema: { type: 'string', enum: ['up', 'down'], default: 'left' },
    },
    { name: 'name', in: 'query', schema: { type: 'string', pattern: '(?<!a' } },
  ]
  const content = { 'application/json': { schema: {} } }
  const api = createSmallApi(
    [
      {
        method: 'get',
        path: '/a',
        parameters,
        response: { content },
        handler: ({ query }) => ({ status: 200, body: query }),
      },
    ],
    {},
  )
  const { ask } = await startServiceOf(api)
  expect(await ask('/v1/a')).toMatchObject({ status: 200 })
  expect(await ask('/v1/a?name=b&order=up')).toMatchObject({ status: 200, name: 'b', order: 'up' })
  expect(await ask('/v1/a?order=left')).toMatchObject({ status: 400 })
})
