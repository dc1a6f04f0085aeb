import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Slot } from '../../../scripts/diff/rules/schemas.ts'
import { project } from '../../helpers/program.ts'
import { describe, findChanges, ofOperation, type Patch, placeSchema } from './support/snippets.ts'

const text = { type: 'string' }
const named = { type: 'object', properties: { a: text } }
const ref = { $ref: '#/components/schemas/K' }
const withK = { components: { schemas: { K: named } } }
const old = { openapi: '3.0.3' }

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

const formC = { type: 'object', required: ['c'], properties: { c: text } }
const union = {
  components: { schemas: { P: { oneOf: [form('a'), formC] } } },
}
const refP = { $ref: '#/components/schemas/P' }

/** Two schemas of which the second allows more, which breaks code in each way. */
const wider: Readonly<Record<string, SchemaRow>> = {
  'null beside a reference to alternatives': [
    refP,
    { anyOf: [refP, { type: 'null' }] },
    union,
    union,
  ],
  'null beside a reference to alternatives, with oneOf': [
    refP,
    { oneOf: [{ const: null }, refP] },
    union,
    union,
  ],
  'null beside alternatives, in a part of allOf': [
    { allOf: [refP] },
    { allOf: [{ anyOf: [refP, { type: 'null' }] }] },
    union,
    union,
  ],
  'null beside alternatives, as an item': [
    { type: 'array', items: refP },
    { type: 'array', items: { anyOf: [refP, { type: 'null' }] } },
    union,
    union,
  ],
  'nullable of 3.0 beside a reference to alternatives': [
    { allOf: [refP] },
    { allOf: [refP], nullable: true },
    { ...old, ...union },
    { ...old, ...union },
  ],
  'nullable of 3.0 beside alternatives': [
    { oneOf: [form('a'), formC] },
    { nullable: true, oneOf: [form('a'), formC] },
    old,
    old,
  ],
  'null beside a schema that rules it out itself': [
    { type: 'string', not: { type: 'null' } },
    { anyOf: [{ type: ['string', 'null'], not: { type: 'null' } }, { type: 'null' }] },
  ],
}

test.for(Object.entries(wider))(
  'wider: breaking in a response, and in a request the other way round: %s',
  ([, row]) => {
    const [before, after, base = {}, current = {}] = row
    for (const slot of ['request-body', 'response-body', 'response-property'] as const) {
      const one = placeSchema(slot, before, base)
      const other = placeSchema(slot, after, current)
      const isRequest = slot === 'request-body'
      expect(hasBreaking(findContract(one, other))).toEqual([!isRequest])
      expect(hasBreaking(findContract(other, one))).toEqual([isRequest])
    }
  },
)

/** Returns whether changes are breaking, each answer once; none if there is no change. */
function hasBreaking(changes: ReturnType<typeof findChanges>): readonly boolean[] {
  return [...new Set(changes.map(({ breaking }) => breaking))]
}

const readOnly = { type: 'object', required: ['a'], properties: { a: { ...text, readOnly: true } } }

test('a required property that is no longer readOnly is now required in requests', () => {
  const current = { ...readOnly, properties: { a: text } }
  const changes = findContract(
    placeSchema('request-body', readOnly),
    placeSchema('request-body', current),
  )
  expect(changes).toContainEqual(
    expect.objectContaining({ id: 'request-property-became-required', breaking: true }),
  )
})

/** Schemas of a property before and after; the empty one is a property that is not there. */
const unsentRows: Readonly<Record<string, readonly [before: object, after: object]>> = {
  'a limit': [{ p: text }, { p: { ...text, maxLength: 3 } }],
  'a default': [{ p: text }, { p: { ...text, default: 'a' } }],
  'a limit of a part': [
    { p: { type: 'object', properties: { b: text } } },
    { p: { type: 'object', properties: { b: { ...text, maxLength: 3 } } } },
  ],
  'the property itself': [{ p: text }, {}],
}

test.for(Object.entries(unsentRows))(
  'no break where a property is not sent, as it is readOnly or writeOnly: %s',
  ([, rows]) => {
    for (const [slot, flag] of [
      ['request-body', 'readOnly'],
      ['response-body', 'writeOnly'],
      ['error-body', 'writeOnly'],
    ] as const) {
      const [one, other] = rows.map((properties) => {
        const flagged = Object.entries(properties).map(([name, schema]) => [
          name,
          { ...schema, [flag]: true },
        ])
        return placeSchema(slot, { type: 'object', properties: Object.fromEntries(flagged) })
      })
      if (one === undefined || other === undefined) throw new Error('a row has two schemas')
      for (const changes of [findContract(one, other), findContract(other, one)]) {
        expect(changes.map(({ id: rule }) => rule)).toEqual(['unsent-property-changed'])
      }
    }
  },
)

test('patterns of names that are valid without the flag u match', () => {
  const named = { '^[\\w-.]+$': text }
  const base = { type: 'object', patternProperties: named }
  const current = { ...base, properties: { 'a-b': text } }
  const changes = findContract(
    placeSchema('request-body', base),
    placeSchema('request-body', current),
  )
  expect(changes.map(({ id: rule }) => rule)).toEqual(['new-optional-request-property'])
})

/** Returns the changes but those of texts and examples. */
function findContract(base: Patch, current: Patch) {
  return findChanges(base, current).filter(({ isRewording }) => isRewording !== true)
}

test('the description of the project means the same as its bundle of another form', () => {
  const bundled = JSON.parse(readFileSync(`${project}/generated/openapi.json`, 'utf8'))
  expect(findContract(bundled, structuredClone(bundled))).toEqual([])
})
