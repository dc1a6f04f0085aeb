import { expect, test } from 'vitest'
import { createCompiler } from '../../../server/contract/ajv.ts'
import { toDocuments } from '../../../server/description/documents.ts'
import { createSchemaReader } from '../../../server/mock/samples.ts'
import { findValue } from '../../../server/mock/schema-values.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const components = {
  schemas: {
    Cat: {
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string' }, lives: { type: 'integer' } },
    },
    Dog: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } },
    Tree: {
      type: 'object',
      required: ['name', 'children'],
      properties: { name: { type: 'string' }, children: { type: 'array', items: ref('Tree') } },
    },
    Loop: { type: 'object', required: ['next'], properties: { next: ref('Loop') } },
    Narrow: { type: 'object', properties: { a: { type: 'array', items: { type: 'object' } } } },
    Wide: {
      type: 'object',
      properties: {
        a: { type: 'array', items: { type: 'object', properties: { b: { type: 'string' } } } },
      },
    },
  },
}

const integers = { type: 'integer', minimum: 10, maximum: 20 }

/** Schemas, each of which has a value. */
const schemas: Readonly<Record<string, unknown>> = {
  true: true,
  'no keywords': {},
  enum: { enum: ['a', 1, null] },
  'an enum and a const': { allOf: [{ enum: [1, 2, 3] }, { const: 2 }] },
  'a type of several': { type: ['null', 'string'], minLength: 3 },
  'lengths of texts': { type: 'string', minLength: 12, maxLength: 14 },
  'a short text': { type: 'string', maxLength: 2 },
  'a pattern': { type: 'string', pattern: '^[A-Z]{3}-\\d{2,4}$' },
  'a pattern with a length': { type: 'string', pattern: '^[a-z]+$', minLength: 30, maxLength: 31 },
  'formats of texts': {
    type: 'array',
    minItems: 10,
    prefixItems: [
      'date-time',
      'date',
      'time',
      'email',
      'uuid',
      'uri',
      'ipv4',
      'ipv6',
      'hostname',
      'duration',
    ].map((format) => ({ type: 'string', format })),
  },
  'unique texts of a format': {
    type: 'array',
    minItems: 4,
    uniqueItems: true,
    items: { type: 'string', format: 'uuid' },
  },
  'unique numbers': { type: 'array', minItems: 5, uniqueItems: true, items: integers },
  'unique objects': {
    type: 'array',
    minItems: 3,
    uniqueItems: true,
    items: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
  },
  'a multiple of a fraction': {
    type: 'number',
    multipleOf: 0.01,
    exclusiveMinimum: 0,
    maximum: 0.02,
  },
  'multiples of two numbers': {
    type: 'integer',
    allOf: [{ multipleOf: 4 }, { multipleOf: 6 }],
    minimum: 1,
  },
  'a number between limits': { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.5 },
  'negative numbers': { type: 'integer', maximum: -5 },
  'parts with limits': { allOf: [{ type: 'integer', minimum: 3 }, { maximum: 4 }] },
  contains: {
    type: 'array',
    items: { type: 'integer' },
    contains: { minimum: 100 },
    minContains: 2,
  },
  'a tuple': {
    type: 'array',
    prefixItems: [{ type: 'string' }, integers],
    items: false,
    minItems: 2,
  },
  'a closed object': {
    type: 'object',
    required: ['a'],
    properties: { a: {} },
    additionalProperties: false,
  },
  'names of properties': {
    type: 'object',
    minProperties: 2,
    propertyNames: { pattern: '^x-[a-z]{4}$' },
  },
  'patterns of names': {
    type: 'object',
    minProperties: 1,
    patternProperties: { '^[a-z]{2}$': { type: 'integer' } },
    additionalProperties: false,
  },
  'a map': { type: 'object', additionalProperties: integers },
  'many members': { type: 'object', minProperties: 4, additionalProperties: { type: 'string' } },
  'few members': { type: 'object', maxProperties: 1, properties: { a: {}, b: {}, c: {} } },
  'dependent names': {
    type: 'object',
    required: ['a'],
    properties: { a: {}, b: { type: 'string' }, c: {} },
    dependentRequired: { a: ['b'], b: ['c'] },
  },
  'dependent schemas': {
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'string' }, b: { type: 'integer' } },
    dependentSchemas: { a: { required: ['b'] } },
  },
  'a condition': {
    type: 'object',
    required: ['kind'],
    properties: { kind: { enum: ['a', 'b'] } },
    if: { properties: { kind: { const: 'a' } } },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
    then: { required: ['x'], properties: { x: { type: 'integer' } } },
    else: { required: ['y'] },
  },
  'forms of which one fits': {
    oneOf: [
      { type: 'object', required: ['a'] },
      { type: 'object', required: ['b'] },
    ],
  },
  'a form that nothing fits': {
    oneOf: [false, { type: 'integer', minimum: 5, maximum: 4 }, { type: 'string' }],
  },
  'forms that overlap': { oneOf: [ref('Narrow'), ref('Wide')] },
  'forms of parts': {
    allOf: [
      { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      { anyOf: [{ required: ['c'] }, { required: ['d'] }] },
    ],
    type: 'object',
  },
  'a discriminator': {
    oneOf: [ref('Cat'), ref('Dog')],
    discriminator: { propertyName: 'kind', mapping: { dog: '#/components/schemas/Dog' } },
  },
  'a schema that refers to itself': ref('Tree'),
  not: { type: 'string', not: { const: 'text' }, enum: ['text', 'other'] },
  'an example that is not valid': { type: 'integer', example: 'a', examples: ['b'] },
  'a name that objects inherit': { type: 'object', required: ['constructor', '__proto__'] },
}

const documents = toDocuments({ openapi: '3.1.0', info: {}, paths: {}, components })
const reader = createSchemaReader(documents, 'response', createCompiler(documents, 'response'))

/** Returns the first valid value of a schema, as the mock looks for it. */
function findValid(schema: unknown) {
  const options = [true, false].flatMap((isComplete) =>
    [0, 1].map((firstForm) => ({ isComplete, firstForm, useExamples: true })),
  )
  const found = options.map((each) => findValue(schema, reader, each))
  return found.find((each) => each !== undefined && reader.isValid(schema, each.value))
}

test.for(Object.entries(schemas))('%s has a value', ([, schema]) => {
  expect(findValid(schema)).toBeDefined()
})

test('a schema that no finite value fits, and one that contradicts itself, have none', () => {
  expect(findValid(ref('Loop'))).toBeUndefined()
  expect(findValid({ type: 'integer', minimum: 5, maximum: 4 })).toBeUndefined()
  expect(findValid(false)).toBeUndefined()
})

test('properties that are writeOnly are in no value of a response', () => {
  const properties = { a: { type: 'string' }, b: { type: 'string', writeOnly: true } }
  const schema = { type: 'object', required: ['a', 'b'], properties }
  expect(findValid(schema)).toEqual({ value: { a: 'text' } })
})
