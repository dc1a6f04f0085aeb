import { ref } from './schema-words.ts'

/** Schemas that parameters have too. */
export const leaves = {
  Count: { type: 'integer', minimum: 0, maximum: 100, default: 7 },
  CountAgain: ref('Count'),
  Text: { type: 'string', minLength: 1, maxLength: 10 },
  Code: { type: 'string', pattern: '^[A-Z]{2}-\\d+$' },
  Amount: { type: 'number', multipleOf: 0.01, minimum: 0 },
  ShorterText: { ...ref('Text'), maxLength: 20 },
  ShortText: { ...ref('ShorterText'), minLength: 0 },
}
