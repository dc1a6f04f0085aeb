import { generateSync, type JsonSchema } from 'json-schema-faker'
import { toList } from '../description/json.ts'
import { compilePattern } from '../description/pattern.ts'

/** Keywords of schemas that apply to one value together. */
export type Keywords = Readonly<Record<string, unknown>>

/** A text of each format. */
const ofFormats: Readonly<Record<string, string>> = {
  'date-time': '2030-01-02T03:04:05Z',
  date: '2030-01-02',
  time: '03:04:05Z',
  duration: 'PT1H',
  email: 'name@example.org',
  'idn-email': 'name@example.org',
  hostname: 'example.org',
  'idn-hostname': 'example.org',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.org/',
  'uri-reference': '/a',
  'uri-template': '/a/{b}',
  url: 'https://example.org/',
  iri: 'https://example.org/',
  'iri-reference': '/a',
  uuid: '01981f2c-5c1e-4cc0-a4d3-5f1f6c6f8d00',
  byte: 'YWJj',
  'json-pointer': '/a',
  'relative-json-pointer': '0',
  regex: '^a$',
}

/** How many texts of a pattern are tried. */
const patternAttempts = 10

/** Returns a text for some keywords; others for other variants. Undefined if none is found. */
export function findText(parts: readonly Keywords[], variant: number): string | undefined {
  const shortest = Math.max(0, ...numbersOf(parts, 'minLength'))
  const longest = Math.min(...numbersOf(parts, 'maxLength'), Number.POSITIVE_INFINITY)
  const patterns = textsOf(parts, 'pattern')
  const expressions = patterns.map(compilePattern)

  const fits = (text: string) => {
    const { length } = [...text]
    const isInRange = length >= shortest && length <= longest
    return isInRange && expressions.every((expression) => expression.test(text))
  }
  const limits = { shortest, longest, variant }
  return textCandidates(patterns, textsOf(parts, 'format'), limits).find(fits)
}

interface TextLimits {
  readonly shortest: number
  readonly longest: number
  readonly variant: number
}

/** Yields texts that may fit: of the formats, any, and of the patterns. */
function* textCandidates(
  patterns: readonly string[],
  formats: readonly string[],
  { shortest, longest, variant }: TextLimits,
): Generator<string> {
  for (const format of formats) {
    const text = ofFormats[format]
    if (text !== undefined) {
      yield varied(text, variant)
    }
  }

  const word = variant === 0 ? 'text' : `text${variant}`
  yield word
  yield word.slice(0, longest).padEnd(shortest, 'a')
  yield word.slice(-longest)

  for (const pattern of patterns) {
    for (let attempt = 0; attempt < patternAttempts; attempt++) {
      const seed = 1 + attempt + patternAttempts * variant
      yield textOfPattern(pattern, { shortest, longest, seed })
    }
  }
}

/** Returns a text of a format with other digits at its end, or in the middle of a name. */
function varied(text: string, variant: number): string {
  if (variant === 0) {
    return text
  }
  const digits = String(variant)
  if (/\d$/.test(text)) {
    return text.slice(0, -digits.length) + digits
  }
  return text.replace(/^name|(?<=\d)\d(?=Z$)|(?<=\d)\d(?=H$)/, (part) => {
    return part === 'name' ? `name${digits}` : digits.slice(-1)
  })
}

interface PatternOptions {
  readonly shortest: number
  readonly longest: number
  readonly seed: number
}

/** Returns a text that a pattern may match; empty where the library does not support the pattern. */
function textOfPattern(pattern: string, { shortest, longest, seed }: PatternOptions): string {
  const limit = Number.isFinite(longest) ? { maxLength: longest } : {}
  const schema: JsonSchema = { type: 'string', pattern, minLength: shortest, ...limit }
  try {
    return String(generateSync(schema, { seed }))
  } catch {
    return ''
  }
}

/** Returns a number for some keywords; others for other variants. Undefined if none is found. */
export function findNumber(
  parts: readonly Keywords[],
  isInteger: boolean,
  variant: number,
): number | undefined {
  const step = stepOf(parts, isInteger)
  const lowest = Math.max(Number.NEGATIVE_INFINITY, ...numbersOf(parts, 'minimum'))
  const above = Math.max(Number.NEGATIVE_INFINITY, ...numbersOf(parts, 'exclusiveMinimum'))
  const highest = Math.min(Number.POSITIVE_INFINITY, ...numbersOf(parts, 'maximum'))
  const below = Math.min(Number.POSITIVE_INFINITY, ...numbersOf(parts, 'exclusiveMaximum'))
  const fits = (value: number) =>
    value >= lowest && value > above && value <= highest && value < below

  const low = Math.max(lowest, above)
  const high = Math.min(highest, below)
  const starts = [1, 0, low, high, (low + high) / 2].filter(Number.isFinite)
  for (const start of starts) {
    const first = Math.round(start / step)
    for (const offset of [0, 1, -1]) {
      const value = multiply(first + offset + variant, step)
      if (fits(value)) {
        return value
      }
    }
  }
  const middle = (low + high) / 2
  return !isInteger && fits(middle) && numbersOf(parts, 'multipleOf').length === 0
    ? middle
    : undefined
}

/** Returns the difference between two numbers that are multiples of all that is asked for. */
function stepOf(parts: readonly Keywords[], isInteger: boolean): number {
  const [first, ...otherNumbers] = numbersOf(parts, 'multipleOf')
  if (first === undefined) {
    return 1
  }
  const product = otherNumbers.reduce((one, other) => one * other, first)
  return isInteger && !Number.isInteger(product) ? toInteger(product) : product
}

/** Returns the smallest multiple of a fraction, such as 0.5, that is an integer. */
function toInteger(step: number): number {
  const multiples = Array.from({ length: 1_000 }, (_, index) => multiply(index + 1, step))
  return multiples.find(Number.isInteger) ?? 1
}

/** Multiplies without the error of binary fractions: 3 × 0.1 is 0.3. */
function multiply(count: number, step: number): number {
  return Number((count * step).toPrecision(15))
}

/** Returns the numbers that a keyword has. */
export function numbersOf(parts: readonly Keywords[], keyword: string): readonly number[] {
  return parts.map((part) => part[keyword]).filter((value) => typeof value === 'number')
}

function textsOf(parts: readonly Keywords[], keyword: string): readonly string[] {
  return parts.map((part) => part[keyword]).filter((value) => typeof value === 'string')
}

/** Returns the types that all keywords allow, the most telling first. */
export function typesOf(parts: readonly Keywords[]): readonly string[] {
  const stated = parts.flatMap(({ type }) => (type === undefined ? [] : [toList([type].flat())]))
  const allowed = stated.length === 0 ? [impliedType(parts)] : types
  return allowed.filter((type) => stated.every((list) => isAllowed(type, list)))
}

const types = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null']

function isAllowed(type: string, list: readonly unknown[]): boolean {
  return list.includes(type) || (type === 'integer' && list.includes('number'))
}

/** The keywords that only matter for values of one type. */
const keywordsOfTypes: Readonly<Record<string, RegExp>> = {
  object:
    /^(?:properties|patternProperties|additionalProperties|unevaluatedProperties|required|propertyNames|\w+Properties|dependent\w+)$/,
  array: /^(?:items|prefixItems|contains|unevaluatedItems|uniqueItems|\w+Items|\w+Contains)$/,
  string: /^(?:pattern|minLength|maxLength|format)$/,
  number: /^(?:minimum|maximum|exclusive\w+|multipleOf)$/,
}

function impliedType(parts: readonly Keywords[]): string {
  const names = parts.flatMap((part) => Object.keys(part))
  const entry = Object.entries(keywordsOfTypes).find(([, keywords]) =>
    names.some((name) => keywords.test(name)),
  )
  return entry?.[0] ?? 'object'
}
