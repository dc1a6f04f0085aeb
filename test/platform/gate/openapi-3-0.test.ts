import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compareDescriptions } from '../../../scripts/diff/compare.ts'
import { normalise } from '../../../server/description/normalise.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { describe, findChanges, placeSchema } from './support/snippets.ts'

const text = { type: 'string' }
const ofNull = { ...text, nullable: true }
const owner = { $ref: '#/components/schemas/Owner' }
const maybe = { $ref: '#/components/schemas/Maybe' }
const old = {
  openapi: '3.0.3',
  components: {
    schemas: { Owner: { type: 'object', properties: { name: text } }, Maybe: ofNull },
  },
}

const schemas: Readonly<Record<string, object>> = {
  'a type': text,
  'no type': {},
  'a reference': owner,
  'a reference to what may be null': maybe,
  'an allOf': { allOf: [owner] },
  'an allOf with keywords': { allOf: [{ type: 'object', properties: { a: ofNull } }] },
  'an allOf of what may be null': { allOf: [ofNull, { maxLength: 3 }] },
  'an anyOf': { anyOf: [text, { type: 'integer' }] },
  'an anyOf of what may be null': { anyOf: [maybe, ofNull, { type: 'integer' }] },
  'a oneOf': { oneOf: [owner, text] },
  'a oneOf of what may be null': { oneOf: [ofNull, { type: 'integer', nullable: true }] },
  'a not': { not: text },
  'a not of what may be null': { not: ofNull },
  'a list of values': { ...text, enum: ['a', 'b'] },
  'a list of values with null': { enum: ['a', null] },
  'items that may be null': { type: 'array', items: ofNull },
  'properties that may be null': {
    type: 'object',
    properties: { a: { ...owner, nullable: true } },
    additionalProperties: { type: 'number', nullable: true },
  },
}

const beside: readonly object[] = [
  ...[{}, { nullable: true }, { nullable: false }, { exclusiveMaximum: true }],
  { minimum: 1, exclusiveMinimum: true },
  { maximum: 3, exclusiveMaximum: false, nullable: true },
  ...[
    { maxLength: 3, nullable: true },
    { required: ['a'], nullable: true },
  ],
  ...[{ example: 'a' }, { example: null, nullable: true }, { default: null, nullable: true }],
  ...[{ title: 'T' }, { description: 'D', nullable: true }, { 'x-a': 1, nullable: true }],
  ...[
    { readOnly: true, nullable: true },
    { deprecated: true, nullable: true },
  ],
  { 'x-extensible-enum': ['a'], nullable: true },
]

test.for(Object.entries(schemas))(
  'OpenAPI 3.0 is compared as the service reads it: %s',
  ([, schema]) => {
    const variants = beside.map((keywords, index) => [`p${index}`, { ...schema, ...keywords }])
    const placed = { type: 'object', properties: Object.fromEntries(variants) }
    for (const slot of ['request-body', 'response-body'] as const) {
      const description = placeSchema(slot, placed, old)
      expect(findChanges(description, normalise(description))).toEqual([])
      expect(findChanges(normalise(description), description)).toEqual([])
    }
  },
)

test('a list of values that becomes nullable in OpenAPI 3.0 allows null', () => {
  const [before, after] = [false, true].map((nullable) => {
    return placeSchema('response-body', { ...text, enum: ['a'], nullable }, old)
  })
  const changes = findChanges(before ?? {}, after ?? {})
  expect(changes.map(({ id }) => id)).toEqual(['response-body-became-nullable'])
})

test('what OpenAPI 3.0 ignores beside a reference is not compared', () => {
  const [before, after] = [[], 'no list'].map((required) => {
    return placeSchema('response-body', { ...owner, required, maxProperties: 1 }, old)
  })
  expect(findChanges(before ?? {}, after ?? {})).toEqual([])
})

test.for([
  ['maxProperties', { maxProperties: 3 }, { maxProperties: 2 }],
  ['nullable', {}, { nullable: true }],
  ['exclusiveMinimum', { minimum: 0 }, { minimum: 0, exclusiveMinimum: true }],
  ['example', { example: { name: 'Ann' } }, { example: { name: 'Bo' } }],
] as const)('a change of %s in a schema of OpenAPI 3.0 is reported at its line', (row) => {
  const [keyword, before, after] = row
  const folder = createTemporaryFolder()
  const save = (name: string, keywords: object) => {
    const schema = { allOf: [owner], nullable: true, ...keywords }
    const ofNumber = { type: 'number', ...keywords }
    const placed = keyword === 'exclusiveMinimum' ? ofNumber : schema
    const own = keyword === 'nullable' ? { allOf: [owner], ...keywords } : placed
    const file = join(folder, name)
    const description = placeSchema('request-body', own, old)
    writeFileSync(file, JSON.stringify(describe(description), undefined, 2))
    return file
  }
  const current = save('current.json', after)
  const { changes } = compareDescriptions(save('base.json', before), current)
  const lines = readFileSync(current, 'utf8').split('\n')
  const line = changes[0]?.line ?? 0
  expect(lines[line - 1]).toContain(`"${keyword}"`)
})
