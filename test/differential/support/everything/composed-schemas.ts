import { integer, object, ref, text } from './schema-words.ts'

/** Schemas that are made of others. */
export const composed = {
  Base: object({ name: ref('Text'), id: integer }, { required: ['name'] }),
  Closed: { ...ref('Base'), unevaluatedProperties: false },
  ClosedMore: {
    allOf: [ref('Base'), object({ count: ref('Count') }, { required: ['count'] })],
    unevaluatedProperties: false,
  },
  ClosedTwice: { allOf: [ref('ClosedMore')], unevaluatedProperties: false },
  ClosedChoice: {
    anyOf: [object({ a: text }, { required: ['a'] }), object({ b: text })],
    properties: { c: text },
    unevaluatedProperties: false,
  },
  ClosedOthers: {
    allOf: [object({ a: text }, { additionalProperties: integer })],
    unevaluatedProperties: false,
  },
  OtherSchema: { allOf: [object({ a: text })], unevaluatedProperties: integer },
  Either: { anyOf: [ref('Text'), { type: 'number', minimum: 5 }, { type: 'null' }] },
  EitherWay: {
    ...object({ kind: text }),
    anyOf: [
      object({ a: integer }, { required: ['a'] }),
      object({ b: integer }, { minProperties: 3 }),
    ],
  },
  OneOf: { oneOf: [{ type: 'integer' }, { type: 'number', minimum: 5 }] },
  Not: object({ a: { not: { type: 'string' } }, b: text }),
  If: {
    ...object({ a: text, b: text }),
    if: { required: ['a'] },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
    then: { required: ['b'] },
  },
  Pattern: object({}, { patternProperties: { '^a': text }, additionalProperties: false }),
  Dependent: object({ a: text, b: text }, { dependentRequired: { a: ['b'] } }),
  Contains: { type: 'array', contains: { const: 1 } },
  Tuple: { type: 'array', prefixItems: [text, integer], items: false },
  Discriminated: {
    oneOf: [ref('Cat'), ref('Dog')],
    discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
  },
  Cat: object({ kind: { const: 'cat' }, lives: integer }, { required: ['kind'] }),
  Dog: object({ kind: { const: 'dog' }, good: { type: 'boolean' } }, { required: ['kind'] }),
  Siblings: object({
    a: { ...ref('Text'), maxLength: 3 },
    b: ref('ShorterText'),
    c: ref('ShortText'),
  }),
  Contradiction: { allOf: [{ type: 'string' }, { type: 'integer' }] },
}
