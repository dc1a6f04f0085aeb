import type { Json, JsonObject } from '../../contract/description.ts'

interface Range {
  readonly least: string
  readonly most: string
  /** What is counted, for one and for more than one; nothing for a number itself. */
  readonly counted?: readonly [one: string, many: string]
}

const ranges: readonly Range[] = [
  { least: 'minimum', most: 'maximum' },
  { least: 'minLength', most: 'maxLength', counted: ['character', 'characters'] },
  { least: 'minItems', most: 'maxItems', counted: ['item', 'items'] },
  { least: 'minProperties', most: 'maxProperties', counted: ['property', 'properties'] },
]

const sayings: readonly (readonly [keyword: string, words: string])[] = [
  ['exclusiveMinimum', 'more than'],
  ['exclusiveMaximum', 'less than'],
  ['multipleOf', 'a multiple of'],
  ['format', 'format'],
  ['pattern', 'pattern'],
]

const flags: readonly (readonly [keyword: string, words: string])[] = [
  ['uniqueItems', 'no item twice'],
  ['readOnly', 'only in answers'],
  ['writeOnly', 'only in requests'],
  ['deprecated', 'deprecated'],
]

/** What a schema allows beside its type, each in a few words. */
export function limitsOf(schema: JsonObject): string[] {
  const spans = ranges.flatMap((range) => spanOf(schema, range))
  const limits = sayings.flatMap(([keyword, words]) => {
    const value = schema[keyword]
    return value === undefined ? [] : [`${words} ${wordOf(value)}`]
  })
  const flagged = flags.flatMap(([keyword, words]) => (schema[keyword] === true ? [words] : []))
  const usual = schema['default']
  const stated = usual === undefined ? [] : [`${wordOf(usual)} unless sent`]
  return [...spans, ...limits, ...flagged, ...stated]
}

function spanOf(schema: JsonObject, { least, most, counted }: Range): string[] {
  const [low, high] = [schema[least], schema[most]]
  const noun = counted === undefined ? '' : ` ${(high ?? low) === 1 ? counted[0] : counted[1]}`
  if (low !== undefined && low === high) return [`exactly ${shown(low)}${noun}`]
  if (low !== undefined && high !== undefined) return [`${shown(low)} to ${shown(high)}${noun}`]
  if (low !== undefined) return [`at least ${shown(low)}${noun}`]
  return high === undefined ? [] : [`at most ${shown(high)}${noun}`]
}

function shown(value: Json): string {
  return typeof value === 'number' ? value.toLocaleString('en') : wordOf(value)
}

/** A JSON value in a line; a string without quotation marks, unless it is empty. */
export function wordOf(value: Json): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
}
