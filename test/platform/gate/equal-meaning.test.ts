import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compareDescriptions } from '../../../scripts/diff/compare.ts'
import type { Slot } from '../../../scripts/diff/rules/slots.ts'
import { projectSpec } from '../../../scripts/pipeline/project.ts'
import { project } from '../../helpers/program.ts'
import { describe, findChanges, ofOperation, type Patch, placeSchema } from './support/snippets.ts'

const text = { type: 'string' }
const named = { type: 'object', properties: { a: text } }
const ref = { $ref: '#/components/schemas/K' }
const withK = { components: { schemas: { K: named } } }
const old = { openapi: '3.0.3' }

const recursive = {
  components: {
    schemas: {
      R: {
        type: 'object',
        patternProperties: { '^a': { $ref: '#/components/schemas/R' } },
        additionalProperties: { $ref: '#/components/schemas/R' },
      },
    },
  },
}
const nested = { components: { schemas: { U: { anyOf: [form('a'), form('b')] } } } }

function oneOfNames(...names: readonly string[]) {
  return { type: 'object', anyOf: names.map((name) => ({ required: [name] })) }
}

// An object that is written with `then` would be taken for a promise.
function when(condition: unknown, result: unknown) {
  return { if: condition, ...Object.fromEntries([['then', result]]) }
}

function whenThere(one: string, other: string) {
  return when({ required: [one] }, { required: [other] })
}

/** Two ways to write one schema, and what the descriptions have beside them. */
type SchemaRow = readonly [before: unknown, after: unknown, base?: Patch, current?: Patch]

const sameSchemas: Readonly<Record<string, SchemaRow>> = {
  'a wrapper of allOf': [
    { allOf: [ref], description: 'd' },
    { ...ref, description: 'd' },
    withK,
    withK,
  ],
  'a wrapper of oneOf': [{ oneOf: [ref] }, ref, withK, withK],
  'a schema written out': [ref, named, withK, withK],
  'null of a reference, with its list in another order': [
    { anyOf: [ref, { type: 'null' }] },
    { oneOf: [{ type: 'null' }, ref] },
    withK,
    withK,
  ],
  'nullable of 3.0 and a list of types': [
    { type: 'string', nullable: true },
    { type: ['null', 'string'] },
    old,
  ],
  'nullable of 3.0 beside allOf and anyOf with null': [
    { nullable: true, allOf: [ref] },
    { anyOf: [ref, { type: 'null' }] },
    { ...withK, ...old },
    withK,
  ],
  'nullable of 3.0 with a list of values': [
    { type: 'string', nullable: true, enum: ['a', null] },
    { anyOf: [{ const: 'a' }, { type: 'null' }] },
    old,
  ],
  'types as a list and as alternatives': [
    { type: ['string', 'integer'], minLength: 2, minimum: 3 },
    {
      oneOf: [
        { type: 'integer', minimum: 3 },
        { type: 'string', minLength: 2 },
      ],
    },
  ],
  'a list of values and alternatives of constants': [
    { type: 'string', enum: ['a', 'b'] },
    {
      oneOf: [
        { const: 'b', title: 'B' },
        { const: 'a', title: 'A' },
      ],
    },
  ],
  'a list of values with and without its type': [
    { enum: ['a', 'b'] },
    { type: 'string', enum: ['b', 'a'] },
  ],
  'a limit that a list of values meets': [
    { enum: ['ab', 'cd'] },
    { enum: ['ab', 'cd'], minLength: 2 },
  ],
  'parts of allOf merged': [
    { allOf: [{ ...named, required: ['a'] }, { properties: { b: { type: 'integer' } } }] },
    { type: 'object', required: ['a'], properties: { a: text, b: { type: 'integer' } } },
  ],
  'limits of the parts of allOf': [
    {
      allOf: [
        { type: 'integer', minimum: 1 },
        { minimum: 3, maximum: 9 },
      ],
    },
    { type: 'integer', minimum: 3, maximum: 9 },
  ],
  'a list of values that two parts share': [
    { allOf: [{ enum: ['a', 'b', 'c'] }, { enum: ['b', 'c', 'd'] }] },
    { enum: ['b', 'c'] },
  ],
  'a property of two parts': [
    { allOf: [{ properties: { a: { minLength: 1 } } }, { properties: { a: { maxLength: 3 } } }] },
    { properties: { a: { minLength: 1, maxLength: 3 } } },
  ],
  'closed parts and a closed whole': [
    { allOf: [named, { properties: { b: text } }], unevaluatedProperties: false },
    { type: 'object', properties: { a: text, b: text }, additionalProperties: false },
  ],
  'what a closed part rules out': [
    { allOf: [{ ...named, additionalProperties: false }, { properties: { b: text } }] },
    { ...named, additionalProperties: false },
  ],
  'required moved beside allOf': [
    { allOf: [{ ...named, required: ['a'] }] },
    { allOf: [named], required: ['a'] },
  ],
  'exclusive limits of 3.0 and 3.1': [
    { type: 'number', minimum: 1, exclusiveMinimum: true },
    { type: 'number', exclusiveMinimum: 1 },
    old,
  ],
  'exclusive limits of integers': [
    { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10 },
    { type: 'integer', minimum: 1, maximum: 9 },
  ],
  'exclusive limits of integers that are fractions': [
    { type: 'integer', exclusiveMinimum: 0.5, exclusiveMaximum: 9.5 },
    { type: 'integer', minimum: 1, maximum: 9 },
  ],
  'integers and multiples of 1': [{ type: 'integer' }, { type: 'number', multipleOf: 1 }],
  'defaults written out': [
    { type: ['string', 'array', 'object'] },
    {
      ...{ type: ['array', 'object', 'string'], minLength: 0, minItems: 0, minProperties: 0 },
      ...{ uniqueItems: false, additionalProperties: true, items: {}, required: [] },
      ...{ readOnly: false, writeOnly: false, deprecated: false },
    },
  ],
  'keywords of other types': [text, { type: 'string', maximum: 3, items: text }],
  'an example and a list of one': [
    { type: 'string', example: 'a' },
    { type: 'string', examples: ['a'] },
    old,
  ],
  'bytes as base64 in 3.0 and 3.1': [
    { type: 'string', format: 'byte' },
    { type: 'string', contentEncoding: 'base64' },
    old,
  ],
  'a condition without a result': [text, { type: 'string', if: { maxLength: 3 } }],
  'not with a type': [{ type: ['string', 'null'], not: { type: 'null' } }, text],
  'a tuple with the items of all': [
    { type: 'array', items: text },
    { type: 'array', prefixItems: [text], items: text },
  ],
  'forms that exclude each other': [
    { oneOf: [form('a'), form('b')] },
    { anyOf: [form('b'), form('a')] },
  ],
  'a type beside alternatives of that type': [
    { type: 'object', oneOf: [form('a'), form('b')] },
    { oneOf: [form('a'), form('b')] },
  ],
  'alternatives in parts of allOf, in another order': [
    { allOf: [oneOfNames('a', 'b'), oneOfNames('c', 'd')] },
    { allOf: [oneOfNames('d', 'c'), oneOfNames('b', 'a')] },
  ],
  'anyOf and oneOf beside each other, in another order': [
    { allOf: [oneOfNames('a', 'b'), { oneOf: [{ required: ['c'] }, { required: ['d'] }] }] },
    { allOf: [{ oneOf: [{ required: ['d'] }, { required: ['c'] }] }, oneOfNames('a', 'b')] },
  ],
  'not in parts of allOf, in another order': [
    { type: 'object', allOf: [{ not: { required: ['a'] } }, { not: { required: ['b'] } }] },
    { type: 'object', allOf: [{ not: { required: ['b'] } }, { not: { required: ['a'] } }] },
  ],
  'conditions in parts of allOf, in another order': [
    { type: 'object', allOf: [whenThere('a', 'b'), whenThere('c', 'd')] },
    { type: 'object', allOf: [whenThere('c', 'd'), whenThere('a', 'b')] },
  ],
  'contains in parts of allOf, in another order': [
    { type: 'array', allOf: [{ contains: { const: 1 } }, { contains: { const: 2 } }] },
    { type: 'array', allOf: [{ contains: { const: 2 } }, { contains: { const: 1 } }] },
  ],
  'limits of names in two parts, and in one': [
    {
      ...{ type: 'object' },
      allOf: [{ propertyNames: { maxLength: 3 } }, { propertyNames: { minLength: 1 } }],
    },
    { type: 'object', propertyNames: { minLength: 1, maxLength: 3 } },
  ],
  'a pattern of names with the schema of all other names': [
    { type: 'object', patternProperties: { '^a': text }, additionalProperties: text },
    { type: 'object', additionalProperties: text },
  ],
  'a pattern of names in an object that contains itself': [
    { $ref: '#/components/schemas/R' },
    { type: 'object', additionalProperties: { $ref: '#/components/schemas/R' } },
    recursive,
    recursive,
  ],
  'alternatives in alternatives': [
    { anyOf: [{ anyOf: [form('a'), form('b')] }, { type: 'null' }, form('c')] },
    { anyOf: [form('a'), form('b'), form('c'), { type: 'null' }] },
  ],
  'a reference to alternatives in alternatives': [
    { anyOf: [{ $ref: '#/components/schemas/U' }, form('c')] },
    { anyOf: [form('a'), form('b'), form('c')] },
    nested,
    nested,
  ],
  'an alternative that allows nothing': [
    { anyOf: [false, form('a'), form('b')] },
    { anyOf: [form('a'), form('b')] },
  ],
  'one alternative beside one that allows nothing': [{ oneOf: [false, text] }, text],
  'null beside a schema that allows nothing': [
    { anyOf: [false, { type: 'null' }] },
    { type: 'null' },
  ],
  'an alternative that allows anything': [{ anyOf: [true, text] }, true],
  'an alternative that is there twice': [
    { anyOf: [form('a'), named, form('a')] },
    { anyOf: [form('a'), named] },
  ],
  'names of any text': [{ type: 'object', propertyNames: text }, { type: 'object' }],
  'names of anything': [{ type: 'object', propertyNames: true }, { type: 'object' }],
  'not with a schema that allows nothing': [{ ...text, not: false }, text],
  'not with a schema that allows anything': [{ ...text, not: {} }, false],
  'not with null as a constant': [{ type: ['string', 'null'], not: { enum: [null] } }, text],
  'a condition whose result allows anything': [{ ...text, ...when({ maxLength: 3 }, true) }, text],
  'a condition that always holds': [
    { type: 'object', ...when(true, { required: ['a'] }) },
    { type: 'object', required: ['a'] },
  ],
  'a condition that never holds': [
    { type: 'object', ...when(false, { required: ['a'] }), else: { required: ['b'] } },
    { type: 'object', required: ['b'] },
  ],
  'a multiple of a multiple': [
    { allOf: [{ type: 'integer', multipleOf: 2 }, { multipleOf: 6 }] },
    { type: 'integer', multipleOf: 6 },
  ],
  'dependent names as a list and as a schema': [
    { type: 'object', dependentSchemas: { a: { required: ['b'] } } },
    { type: 'object', dependentRequired: { a: ['b'] } },
  ],
  'keywords that name a schema': [
    text,
    { ...text, $schema: 'https://a.example/s', $id: 'https://a.example/t', $anchor: 'k' },
  ],
  'definitions of its own': [
    { $defs: { T: text }, properties: { a: { $ref: '#/components/schemas/K/properties/a' } } },
    { properties: { a: text } },
    withK,
    withK,
  ],
}

function form(kind: string) {
  return { type: 'object', required: ['kind'], properties: { kind: { const: kind } } }
}

const slots: readonly Slot[] = [
  'request-parameter',
  'request-property',
  'response-body',
  'error-property',
]

test.for(Object.entries(sameSchemas))('the same schema: %s', ([, row]) => {
  const [before, after, base = {}, current = {}] = row
  for (const slot of slots) {
    const one = placeSchema(slot, before, base)
    const other = placeSchema(slot, after, current)
    expect(findContract(one, other)).toEqual([])
    expect(findContract(other, one)).toEqual([])
  }
})

const body = { content: { 'application/json': { schema: text } } }
const id = { name: 'id', in: 'path', required: true, schema: text }
const bearer = { type: 'http', scheme: 'bearer' }
const schemes = { components: { securitySchemes: { key: bearer } } }

/** Two ways to write one description. */
const sameDescriptions: Readonly<Record<string, readonly [base: Patch, current: Patch]>> = {
  'the case of names of headers': [
    ofOperation({
      parameters: [{ name: 'X-Trace', in: 'header', schema: text }],
      responses: { 200: { headers: { 'X-Total': { schema: text } } } },
    }),
    ofOperation({
      parameters: [{ name: 'x-trace', in: 'header', schema: text }],
      responses: { 200: { headers: { 'x-total': { schema: text } } } },
    }),
  ],
  'the case and parameters of media types': [
    ofOperation({ requestBody: body }),
    ofOperation({
      requestBody: { content: { 'Application/JSON; Charset=UTF-8': { schema: text } } },
    }),
  ],
  'a parameter of an operation and of its path': [
    { paths: { '/a': null, '/a/{id}': { get: { parameters: [id], responses: {} } } } },
    { paths: { '/a': null, '/a/{id}': { parameters: [id], get: { responses: {} } } } },
  ],
  'credentials of all operations and of each': [
    { ...schemes, security: [{ key: [] }] },
    { ...schemes, ...ofOperation({ security: [{ key: [] }] }) },
  ],
  'no credentials, and credentials that may be omitted': [
    { ...schemes, security: [] },
    { ...schemes, security: [{}] },
  ],
  'another name of a security scheme': [
    { ...schemes, security: [{ key: [] }] },
    {
      components: { securitySchemes: { token: { ...bearer, scheme: 'Bearer' } } },
      security: [{ token: [] }],
    },
  ],
  'servers with a slash at the end': [
    { servers: [{ url: 'https://a.example/v1' }] },
    { servers: [{ url: 'https://a.example/v1/' }] },
  ],
  'defaults of parameters': [
    ofOperation({ parameters: [{ name: 'q', in: 'query', schema: text }] }),
    ofOperation({
      parameters: [
        { name: 'q', in: 'query', schema: text, style: 'form', explode: true, required: false },
      ],
    }),
  ],
  'explode of a parameter that is no list': [
    ofOperation({ parameters: [{ name: 'q', in: 'query', schema: text }] }),
    ofOperation({ parameters: [{ name: 'q', in: 'query', schema: text, explode: false }] }),
  ],
  'explode of a header that is no list': [
    ofOperation({ responses: { 200: { headers: { X: { schema: text } } } } }),
    ofOperation({ responses: { 200: { headers: { X: { schema: text, explode: true } } } } }),
  ],
  'explode of a parameter of a webhook that is no list': [
    webhookWith({ name: 'q', in: 'query', schema: text }),
    webhookWith({ name: 'q', in: 'query', schema: text, explode: false }),
  ],
  'a header that OpenAPI ignores': [
    ofOperation({ responses: { 200: { headers: { 'Content-Type': { schema: text } } } } }),
    {},
  ],
  'bytes in 3.0 and 3.1': [
    {
      ...old,
      ...ofOperation({
        requestBody: { content: { 'image/png': { schema: { type: 'string', format: 'binary' } } } },
      }),
    },
    ofOperation({ requestBody: { content: { 'image/png': {} } } }),
  ],
  'a status that a range covers, in another case': [
    ofOperation({ responses: { '4XX': { description: 'No.' } } }),
    ofOperation({ responses: { '4xx': { description: 'No.' }, 404: { description: 'No.' } } }),
  ],
  'a shared response written out': [
    { ...ofOperation({ responses: { 404: { $ref: '#/components/responses/No' } } }), ...shareNo() },
    { ...ofOperation({ responses: { 404: { description: 'No.' } } }), ...shareNo() },
  ],
}

function webhookWith(parameter: object) {
  return { webhooks: { done: { post: { parameters: [parameter], responses: {} } } } }
}

function shareNo() {
  return { components: { responses: { No: { description: 'No.' } } } }
}

test.for(Object.entries(sameDescriptions))('the same description: %s', ([, [base, current]]) => {
  const [one, other] = [describe(base), describe(current)]
  expect(findContract(one, other).filter(({ id: rule }) => rule !== 'component-renamed')).toEqual(
    [],
  )
  expect(findContract(other, one).filter(({ id: rule }) => rule !== 'component-renamed')).toEqual(
    [],
  )
})

/** What requests allow, too, which breaks no client. */
const widerRequests: Readonly<Record<string, SchemaRow>> = {
  'null as well': [ref, { anyOf: [ref, { type: 'null' }] }, withK, withK],
  'fractions as well': [{ type: 'integer' }, { type: 'number' }],
  'one more value': [{ enum: ['a'] }, { enum: ['a', 'b'] }],
  'one more form': [form('a'), { oneOf: [form('a'), form('b')] }],
  'a reference or a text': [ref, { anyOf: [text, ref] }, withK, withK],
  'a longer text by another part': [
    { allOf: [text, { maxLength: 3 }] },
    { type: 'string', maxLength: 9 },
  ],
  'an optional property': [named, { ...named, properties: { a: text, b: text } }],
  'a property that a part requires no more': [{ allOf: [named, { required: ['a'] }] }, named],
  'properties that are not listed': [{ ...named, additionalProperties: false }, named],
  'another pattern of names beside a closed object': [
    { ...named, additionalProperties: false },
    { ...named, additionalProperties: false, patternProperties: { '^x-': text } },
  ],
  'a wider format': [
    { type: 'integer', format: 'int32' },
    { type: 'integer', format: 'int64' },
  ],
}

test.for(Object.entries(widerRequests))(
  'wider in a request, and so narrower in a response the other way round: %s',
  ([, row]) => {
    const [before, after, base = {}, current = {}] = row
    const wider = findContract(
      placeSchema('request-body', before, base),
      placeSchema('request-body', after, current),
    )
    expect(wider.map(({ bump }) => bump)).toContain('minor')
    expect(wider.filter(({ breaking }) => breaking)).toEqual([])
    const narrower = findContract(
      placeSchema('response-body', after, current),
      placeSchema('response-body', before, base),
    )
    // A property that goes is missed by code that reads it, whatever else is allowed.
    expect(
      narrower.filter(({ breaking, id: rule }) => breaking && !rule.endsWith('-removed')),
    ).toEqual([])
  },
)

/** Returns the changes but those of texts and examples. */
function findContract(base: Patch, current: Patch) {
  return findChanges(base, current).filter(({ isRewording }) => isRewording !== true)
}

test('the description of the project means the same as the contract that it is compiled into', () => {
  const contract = join(project, 'generated/openapi.json')
  const { changes } = compareDescriptions(contract, projectSpec, 'the contract')
  expect(changes.filter(({ isRewording }) => isRewording !== true)).toEqual([])
})
