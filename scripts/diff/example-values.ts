import { isObject } from '../pipeline/description.ts'

/**
 * Says of each named example in a description what its value is, in a word of its own: Redocly does
 * not look into values, and people, mocks and tests have them from there.
 */
export function showExamples(node: unknown, parent = ''): unknown {
  if (Array.isArray(node)) return node.map((item) => showExamples(item))
  if (!isObject(node)) return node
  // A property may be called examples.
  const isExamples = (key: string) => key === 'examples' && parent !== 'properties'
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      isExamples(key) && isObject(value) ? mapExamples(value) : showExamples(value, key),
    ]),
  )
}

function mapExamples(examples: object): object {
  return Object.fromEntries(
    Object.entries(examples).map(([name, example]) => [
      name,
      isObject(example) && 'value' in example
        ? { ...example, 'x-value': JSON.stringify(example['value']) }
        : example,
    ]),
  )
}
