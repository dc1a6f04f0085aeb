import { header, list, type ParameterSet, query } from './parameter-words.ts'
import { ref } from './schema-words.ts'

/** Parameters with one value, a few to an operation. */
export const singleParameters: Readonly<Record<string, ParameterSet>> = {
  Numbers: {
    rows: [
      query('integer', { type: 'integer', minimum: -5, exclusiveMaximum: 1000 }),
      query('number', { type: 'number', multipleOf: 0.01 }),
      query('int32', { type: 'integer', format: 'int32' }),
      query('int64', { type: 'integer', format: 'int64' }),
      query('float', { type: 'number', format: 'float' }),
      query('double', { type: 'number', format: 'double', exclusiveMinimum: -0.5 }),
      query('boolean', { type: 'boolean' }),
      query('yes', { type: 'boolean', const: true }),
    ],
  },
  Texts: {
    rows: [
      query('plain', { type: 'string' }),
      query('short', { type: 'string', minLength: 2, maxLength: 3 }),
      query('shape', { type: 'string', pattern: '^\\p{L}[\\w.-]*$' }),
      query('choice', { type: 'string', enum: ['a', '1', 'true', 'null', 'A b'] }),
      query('day', { type: 'string', format: 'date' }),
      query('word', { type: 'string', format: 'nothing-known' }),
      query('nullable', { type: ['string', 'null'] }),
      query('either', { type: ['integer', 'string'] }),
      query('untyped', {}),
    ],
  },
  Defaults: {
    rows: [
      query('own', { type: 'integer', default: 20 }),
      query('text', { type: 'string', default: 'a', maxLength: 3 }),
      query('wrong', { type: 'string', default: 'too long', maxLength: 3 }),
      { $ref: '#/components/parameters/Limit' },
      { $ref: '#/components/parameters/Flag' },
      header('X-Level', { type: 'integer', default: 3 }),
    ],
  },
  DefaultsBehindReferences: {
    rows: [
      query('once', ref('Count')),
      query('twice', ref('CountAgain')),
      query('beside', { ...ref('Count'), default: 8 }),
      query('closer', { ...ref('Count'), maximum: 5 }),
      query('composed', { type: 'integer', allOf: [ref('Count')] }),
    ],
  },
  DefaultOfReference: { rows: [query('once', ref('Count'))] },
  DefaultOfReferences: { rows: [query('twice', ref('CountAgain'))] },
  DefaultBesideReference: { rows: [query('beside', { ...ref('Count'), default: 8 })] },
  DefaultOfList: {
    rows: [query('list', { ...list, default: [1] }), query('x', { type: 'string' })],
  },
  DefaultWithin: {
    rows: [query('within', { type: 'integer', allOf: [{ type: 'integer', default: 4 }] })],
  },
  ComposedTexts: {
    rows: [
      query('ofReference', { type: 'string', allOf: [ref('Text')] }),
      query('ofEither', { type: 'string', anyOf: [ref('Text'), { maxLength: 2 }] }),
      query('ofPlain', { type: 'string', allOf: [{ maxLength: 20 }] }),
    ],
  },
  ComposedNumbers: {
    rows: [
      query('ofReference', { type: 'number', allOf: [ref('Amount')] }),
      query('ofEither', { type: 'integer', anyOf: [{ minimum: 10 }, { maximum: 2 }] }),
      header('X-Composed', { type: 'string', allOf: [ref('Text')] }),
    ],
  },
  ReferredTexts: { rows: [query('text', ref('Text')), query('code', ref('Code'))] },
}
