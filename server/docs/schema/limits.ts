import type { Json, JsonObject } from '../../contract/description/description.ts'

type Say = (value: string) => string

// What the keywords of JSON Schema that limit a value say, in the order in which they are shown.
const sayings: readonly (readonly [keyword: string, say: Say])[] = [
  ['format', (value) => `format ${value}`],
  ['minimum', (value) => `at least ${value}`],
  ['exclusiveMinimum', (value) => `more than ${value}`],
  ['maximum', (value) => `at most ${value}`],
  ['exclusiveMaximum', (value) => `less than ${value}`],
  ['multipleOf', (value) => `a multiple of ${value}`],
  ['minLength', (value) => `at least ${value} ${plural(value, 'character')}`],
  ['maxLength', (value) => `at most ${value} ${plural(value, 'character')}`],
  ['pattern', (value) => `pattern ${value}`],
  ['minItems', (value) => `at least ${value} ${plural(value, 'item')}`],
  ['maxItems', (value) => `at most ${value} ${plural(value, 'item')}`],
  ['minProperties', (value) => `at least ${value} ${plural(value, 'property', 'properties')}`],
  ['maxProperties', (value) => `at most ${value} ${plural(value, 'property', 'properties')}`],
]

const flags: readonly (readonly [keyword: string, words: string])[] = [
  ['uniqueItems', 'no item twice'],
  ['readOnly', 'only in answers'],
  ['writeOnly', 'only in requests'],
  ['deprecated', 'deprecated'],
]

/** What a schema allows beside its type, each in a few words. */
export function limitsOf(schema: JsonObject): string[] {
  const limits = sayings.flatMap(([keyword, say]) => {
    const value = schema[keyword]
    return value === undefined ? [] : [say(wordOf(value))]
  })
  const flagged = flags.flatMap(([keyword, words]) => (schema[keyword] === true ? [words] : []))
  const usual = schema['default']
  const stated = usual === undefined ? [] : [`${wordOf(usual)} unless sent`]
  return [...limits, ...flagged, ...stated]
}

/** A JSON value in a line; a string without quotation marks, unless it is empty. */
export function wordOf(value: Json): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
}

function plural(count: string, one: string, many = `${one}s`): string {
  return count === '1' ? one : many
}
