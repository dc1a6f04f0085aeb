import { expect, test } from 'vitest'
import { readBundled } from '../../../server/description/description-reader.ts'
import { findKeyword } from '../../../server/description/schemas.ts'

/** Returns a schema of OpenAPI 3.0 as the model of its description has it. */
function readSchema(schema: object): unknown {
  const root = {
    openapi: '3.0.3',
    info: { title: 'Tools', version: '1.0.0' },
    paths: {
      '/tools': {
        get: {
          parameters: [{ name: 'filter', in: 'query', schema: { properties: { tool: schema } } }],
          responses: {},
        },
      },
    },
    components: { schemas: { Tool: { type: 'object' } } },
  }
  const { operations, documents } = readBundled(root)
  const properties = findKeyword(operations[0]?.parameters[0]?.schema, 'properties', documents)
  return properties?.value
}

const reference = { $ref: '#/components/schemas/Tool' }

test.each<[string, object, object]>([
  ['nullable', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
  ['nullable: false', { type: 'string', nullable: false }, { type: 'string' }],
  [
    'a nullable enum',
    { type: 'string', enum: ['new'], nullable: true },
    { type: ['string', 'null'], enum: ['new', null] },
  ],
  [
    'a nullable reference',
    { ...reference, nullable: true },
    { anyOf: [reference, { type: 'null' }] },
  ],
  [
    'a nullable allOf',
    { allOf: [reference], nullable: true, description: 'A tool.' },
    { description: 'A tool.', anyOf: [{ allOf: [reference] }, { type: 'null' }] },
  ],
  [
    'an exclusive limit',
    { type: 'number', minimum: 0, exclusiveMinimum: true },
    { type: 'number', exclusiveMinimum: 0 },
  ],
  [
    'a limit that is not exclusive',
    { type: 'number', maximum: 9, exclusiveMaximum: false },
    { type: 'number', maximum: 9 },
  ],
  ['keywords beside a reference', { ...reference, maxProperties: 1 }, reference],
  ['an example', { type: 'string', example: 'a' }, { type: 'string', examples: ['a'] }],
  [
    'properties with names of keywords',
    { properties: { nullable: { type: 'string', nullable: true }, example: { type: 'string' } } },
    { properties: { nullable: { type: ['string', 'null'] }, example: { type: 'string' } } },
  ],
])('%s of OpenAPI 3.0 is read as that of 3.1', (_, schema, expected) => {
  expect(readSchema(schema)).toEqual({ tool: expected })
})

test('what a reference leads to in an extension is as OpenAPI 3.1 writes it, too', () => {
  const { documents } = readBundled({
    openapi: '3.0.3',
    info: { title: 'Tools', version: '1.0.0' },
    paths: {},
    components: { schemas: { Tool: { $ref: '#/x-schemas/Tool' } } },
    'x-schemas': {
      Tool: {
        properties: { owner: { $ref: '#/x-people/Person' } },
        nullable: true,
        type: 'object',
      },
      Other: { nullable: true },
    },
    'x-people': { Person: { type: 'string', nullable: true } },
  })
  expect(documents.root.value).toMatchObject({
    'x-schemas': { Tool: { type: ['object', 'null'] }, Other: { nullable: true } },
    'x-people': { Person: { type: ['string', 'null'] } },
  })
})
