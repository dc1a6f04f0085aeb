import { integer, object, ref, text } from './schema-words.ts'

const withDefault = { a: { type: 'integer', default: 1 }, b: { type: 'integer' } }

/** Schemas with defaults, and with what depends on whether those are there yet. */
export const defaults = {
  Defaults: object({
    count: { type: 'integer', default: 3 },
    text: { type: 'string', default: 'x', maxLength: 2 },
    nothing: { type: ['string', 'null'], default: null },
    list: { type: 'array', items: integer, default: [1, 2] },
    object: { ...object({ deep: { type: 'string', default: 'd' } }), default: {} },
    wrong: { type: 'integer', default: 'x' },
    deep: object({ deep: { type: 'string', default: 'd' } }),
  }),
  DefaultsInItems: { type: 'array', items: object({ a: { default: 1 } }, { required: ['a'] }) },
  DefaultBehind: object({ count: ref('Count'), own: { ...ref('Count'), default: 9 } }),
  DefaultRequired: object({ a: { type: 'integer', default: 1 } }, { required: ['a'] }),
  DefaultBounded: object(withDefault, { maxProperties: 1 }),
  DefaultInAllOf: {
    allOf: [object({ a: { type: 'integer', default: 1 } })],
    required: ['a'],
    minProperties: 2,
  },
  DefaultBesideLeast: { allOf: [{ minProperties: 2 }], properties: withDefault },
  DefaultBesideMost: { allOf: [{ maxProperties: 1 }], properties: withDefault },
  DefaultBesideRequired: { allOf: [{ required: ['a'] }], properties: withDefault },
  DefaultBesideReference: { ...ref('MostOne'), properties: withDefault },
  MostOne: { maxProperties: 1 },
  DefaultBesideChoice: {
    ...object(withDefault),
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
  },
  DefaultBeforeDoubt: {
    allOf: [{ maxProperties: 2 }],
    properties: { ...withDefault, word: { type: 'string', format: 'nothing-known' } },
  },
  DefaultsInTurn: {
    allOf: [object({ a: { default: 1 } }), { required: ['a'] }, object({ b: { default: 2 } })],
    anyOf: [{ required: ['b'] }, { maxProperties: 1 }],
  },
  DefaultInChoice: { anyOf: [object({ a: { default: 1 }, b: text }), { type: 'string' }] },
  DefaultBehindChoice: { anyOf: [ref('DefaultRequired'), ref('Defaults')] },
  DefaultUnderNames: object({ 'a-b': { default: 1 }, '': { default: 'x' }, 1: { default: 2 } }),
}
