import { set } from '../../pipeline/support/spec-edit.ts'

const refer = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })

/** Something of each keyword that a schema may have. */
export const shelter = {
  type: 'object',
  required: ['kind', 'size', 'tags', 'contact'],
  additionalProperties: false,
  properties: {
    kind: { const: 'shelter' },
    size: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 10 },
    beds: { type: 'integer', multipleOf: 5, minimum: 0, maximum: 100 },
    floors: { type: 'integer', format: 'int32' },
    isOpen: { type: 'boolean' },
    since: { type: 'string', format: 'date' },
    tags: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 5 },
      ...{ minItems: 1, maxItems: 3, uniqueItems: true },
    },
    contact: {
      type: ['object', 'null'],
      required: ['mail'],
      additionalProperties: false,
      properties: { mail: { type: 'string', pattern: '^\\S+@\\S+$', maxLength: 50 } },
    },
    home: { oneOf: [refer('schemas', 'Id'), { type: 'string', enum: ['none', 'any'] }] },
    places: {
      type: 'object',
      ...{ additionalProperties: { type: 'integer', minimum: 0 }, minProperties: 1 },
      maxProperties: 2,
    },
  },
}

const parameter = (place: string, name: string, schema: object, required = false) => ({
  ...{ in: place, name, schema, required },
})
const tags = { type: 'array', items: { type: 'string', minLength: 1, maxLength: 5 }, maxItems: 3 }

/** An operation with parameters in every place, and with a body of every kind. */
export const shelterAdded = set('paths /shelters/{town}/list put', {
  operationId: 'putShelter',
  parameters: [
    parameter('path', 'town', { type: 'string', minLength: 2, maxLength: 9 }, true),
    parameter('query', 'share', { type: 'number', minimum: 0, maximum: 1 }),
    parameter('query', 'isOpen', { type: 'boolean' }, true),
    parameter('query', 'tags', tags),
    parameter('header', 'X-Owner', { type: 'integer', minimum: 1 }, true),
    parameter('cookie', 'bench', { type: 'integer', minimum: 1 }),
  ],
  requestBody: { content: { 'application/json': { schema: shelter } } },
  responses: {
    200: {
      description: 'The animal.',
      headers: {
        'X-RateLimit-Limit': refer('headers', 'X-RateLimit-Limit'),
        'X-RateLimit-Remaining': refer('headers', 'X-RateLimit-Remaining'),
        'X-RateLimit-Reset': refer('headers', 'X-RateLimit-Reset'),
        'X-Request-Id': refer('headers', 'X-Request-Id'),
        'Cache-Control': refer('headers', 'Cache-Control'),
        'X-Content-Type-Options': refer('headers', 'X-Content-Type-Options'),
      },
      content: { 'application/json': { schema: refer('schemas', 'Pet') } },
    },
    400: refer('responses', 'InvalidRequest'),
    401: refer('responses', 'Unauthorized'),
    404: refer('responses', 'NotFound'),
    406: refer('responses', 'NotAcceptable'),
    413: refer('responses', 'PayloadTooLarge'),
    415: refer('responses', 'UnsupportedMediaType'),
  },
})
