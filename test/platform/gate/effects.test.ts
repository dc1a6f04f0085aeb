import { expect, test } from 'vitest'
import { describe, findChanges, type Patch, placeSchema } from './support/snippets.ts'

const text = { type: 'string' }

/** Two schemas, and what the descriptions have beside them. */
type SchemaRow = readonly [before: unknown, after: unknown, base?: Patch, current?: Patch]

function form(kind: string) {
  return { type: 'object', required: ['kind'], properties: { kind: { const: kind } } }
}

const formC = { type: 'object', required: ['c'], properties: { c: text } }
const old = { openapi: '3.0.3' }
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
  'other numbers of items that match': [
    { type: 'array', contains: text, minContains: 2, maxContains: 3 },
    { type: 'array', contains: text, minContains: 1, maxContains: 4 },
  ],
  'a value of another type in a list that may grow': [
    { type: 'string', 'x-extensible-enum': ['a'] },
    { type: ['string', 'integer'], 'x-extensible-enum': ['a', 1] },
  ],
  'a fraction in a list of integers that may grow': [
    { type: 'integer', 'x-extensible-enum': [1] },
    { type: 'number', 'x-extensible-enum': [1, 1.5] },
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

/** Returns whether changes are breaking, each result once; none if there is no change. */
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

type Properties = Readonly<Record<string, object>>

/** Schemas of a property before and after; the empty one is a property that is not there. */
const unsentRows: Readonly<Record<string, readonly [before: Properties, after: Properties]>> = {
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
      if (one === undefined || other === undefined) {
        throw new Error('a row has two schemas')
      }
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

test('a value of a type that a list which may grow allows is no break in a response', () => {
  const list = { type: 'number', 'x-extensible-enum': [1] }
  const changes = findContract(
    placeSchema('response-body', list),
    placeSchema('response-body', { ...list, 'x-extensible-enum': [1, 1.5] }),
  )
  expect(changes.map(({ id: rule }) => rule)).toEqual([
    'response-body-x-extensible-enum-value-added',
  ])
})

const forms = { components: { schemas: { A: form('a'), B: form('b') } } }
const [refA, refB] = ['A', 'B'].map((name) => ({ $ref: `#/components/schemas/${name}` }))
const discriminated = (more: object) => {
  return { oneOf: [refA, refB], discriminator: { propertyName: 'kind', ...more } }
}

test.for([
  [{}, { defaultMapping: 'A' }, 'response-body-discriminator-default-changed'],
  [{ defaultMapping: 'A' }, { defaultMapping: 'B' }, 'response-body-discriminator-default-changed'],
  [{ 'x-other': 1 }, { 'x-other': 2 }, 'extension-changed'],
  [{}, { other: 1 }, 'unknown-keyword-changed'],
] as const)('a keyword of a discriminator: %j, then %j', ([before, after, id]) => {
  const changes = findContract(
    placeSchema('response-body', discriminated(before), forms),
    placeSchema('response-body', discriminated(after), forms),
  )
  expect(changes.map(({ id: rule }) => rule)).toEqual([id])
})

test('a mapping of a discriminator that leads nowhere is an error with its line', () => {
  const mapping = { a: '#/components/schemas/A', b: '#/components/schemas/None' }
  const current = placeSchema('response-body', discriminated({ mapping }), forms)
  const line = JSON.stringify(current, undefined, 2)
    .split('\n')
    .findIndex((each) => {
      return each.includes('/None')
    })
  const base = placeSchema('response-body', discriminated({}), forms)
  expect(() => findChanges(base, current)).toThrow(`:${line + 1}:`)
})

const malformed: Readonly<Record<string, unknown>> = {
  enum: { enum: 'a' },
  'x-extensible-enum': { 'x-extensible-enum': 'a' },
  required: { required: 'a' },
  'required of one': { required: [1] },
  properties: { properties: [text] },
  patternProperties: { patternProperties: [text] },
  dependentRequired: { dependentRequired: { a: 'b' } },
  dependentSchemas: { dependentSchemas: [] },
  prefixItems: { prefixItems: text },
  discriminator: { discriminator: 'a' },
  'mapping of a discriminator': { discriminator: { propertyName: 'a', mapping: { b: 1 } } },
  uniqueItems: { uniqueItems: 'yes' },
  readOnly: { readOnly: 'true' },
  minContains: { contains: text, minContains: '1' },
  $ref: { $ref: 5 },
  'a reference that leads nowhere': { $ref: '#/components/schemas/None' },
}

test.for(Object.entries(malformed))(
  'a malformed keyword is an error with its line: %s',
  ([, schema]) => {
    const good = placeSchema('request-body', {})
    const bad = placeSchema('request-body', schema)
    expect(() => findChanges(good, bad)).toThrow(/:\d+:\d+ /)
    expect(() => findChanges(bad, good)).toThrow(/:\d+:\d+ /)
    const body = { content: { 'application/json': { schema } } }
    const operation = { post: { operationId: 'addB', requestBody: body, responses: {} } }
    const onlyThere = describe({ paths: { '/b': operation } })
    expect(() => findChanges(good, onlyThere)).toThrow(/:\d+:\d+ /)
    expect(() => findChanges(onlyThere, good)).toThrow(/:\d+:\d+ /)
  },
)

test('an alternative without a name is called by its title, or by which one it is', () => {
  const changes = findContract(
    placeSchema('request-body', { oneOf: [form('a'), form('b'), { ...form('c'), title: 'Cat' }] }),
    placeSchema('request-body', { oneOf: [form('a')] }),
  )
  expect(changes.map(({ what }) => what)).toEqual([
    '`oneOf` of the body no longer allows `schema 2 (object)`.',
    '`oneOf` of the body no longer allows `Cat`.',
  ])
})

test('alternatives that lead to each other, in another order, are the same', () => {
  const names = Array.from({ length: 14 }, (_, index) => `U${index}`)
  const unions = names.map((name, index) => {
    const branches = names.map((_, place) => {
      const other = names[(index + place) % names.length]
      const kind = { type: 'string', maxLength: place + 1 }
      return {
        required: ['k'],
        properties: { k: kind, c: { $ref: `#/components/schemas/${other}` } },
      }
    })
    return [name, branches.map((branch) => ({ type: 'object', ...branch }))] as const
  })
  const describeUnions = (isReversed: boolean) => {
    const schemas = unions.map(([name, branches]) => {
      return [name, { anyOf: isReversed ? branches.toReversed() : branches }]
    })
    const components = { schemas: Object.fromEntries(schemas) }
    return placeSchema('request-body', { $ref: '#/components/schemas/U0' }, { components })
  }
  expect(findContract(describeUnions(false), describeUnions(true))).toEqual([])
})

/** Returns the changes but those of texts and examples. */
function findContract(base: Patch, current: Patch) {
  return findChanges(base, current).filter(({ isRewording }) => isRewording !== true)
}
