import fc from 'fast-check'
import { type Json, toList, toObject } from './description.ts'
import {
  anyCharacter,
  type Flatten,
  formats,
  isClosed,
  kept,
  type Schema,
  typesOf,
  variantsOf,
} from './schemas.ts'

/** Makes values that a schema allows. */
export type ValuesOf = (schema: Json | undefined) => fc.Arbitrary<Json>

/** From here on only what is required is made, because a schema may be part of itself. */
const deepest = 4

/** Makes the generator of valid values, for the schemas of one description. */
export function createValuesOf(flatten: Flatten): ValuesOf {
  function valuesOf(schema: Json | undefined, depth: number): fc.Arbitrary<Json> {
    const flat = flatten(schema)
    if (flat['const'] !== undefined) return fc.constant(flat['const'])
    if (flat['enum'] !== undefined) return fc.constantFrom(...toList(flat['enum']))
    const variants = variantsOf(flat)
    if (variants.length > 0) return fc.oneof(...variants.map((one) => valuesOf(one, depth)))
    const isOpen = flat['type'] === undefined && depth > deepest
    const types = isOpen ? ['string'] : typesOf(flat)
    return fc.oneof(...types.map((type) => valuesOfType(type, flat, depth)))
  }

  function valuesOfType(type: string, flat: Schema, depth: number): fc.Arbitrary<Json> {
    if (type === 'null') return fc.constant(null)
    if (type === 'boolean') return fc.boolean()
    if (type === 'integer') return integersOf(flat)
    if (type === 'number') return numbersOf(flat)
    if (type === 'string') {
      return formats[String(flat['format'])]?.values ?? stringsOf(stringLimits(flat))
    }
    const isDeep = depth > deepest
    const within = (one: Json | undefined) => valuesOf(one, depth + 1)
    return type === 'array' ? arraysOf(flat, within, isDeep) : objectsOf(flat, within, isDeep)
  }

  return (schema) => valuesOf(schema, 0)
}

function arraysOf(flat: Schema, valuesOf: ValuesOf, isDeep: boolean): fc.Arbitrary<Json> {
  const { items = {}, minItems, maxItems, uniqueItems } = flat
  const minLength = Number(minItems ?? 0)
  const maxLength = Math.min(Number(maxItems ?? Infinity), minLength + (isDeep ? 0 : 4))
  if (uniqueItems !== true) return fc.array(valuesOf(items), { minLength, maxLength })
  const selector = (value: Json) => JSON.stringify(value)
  return fc.uniqueArray(valuesOf(items), { minLength, maxLength, selector })
}

function objectsOf(flat: Schema, valuesOf: ValuesOf, isDeep: boolean): fc.Arbitrary<Json> {
  const { additionalProperties: unnamed, minProperties = 0, maxProperties = Infinity } = flat
  const required = toList(flat['required']).map(String)
  // Read-only fields are for responses.
  const sent = Object.entries(toObject(flat['properties'])).filter(
    ([name, schema]) =>
      required.includes(name) || (!isDeep && toObject(schema)['readOnly'] !== true),
  )
  const known = fc.record(
    Object.fromEntries(sent.map(([name, schema]) => [name, valuesOf(schema)])),
    { requiredKeys: required, noNullPrototype: true },
  )
  const names = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 8 })
  const hasOthers = !isClosed(flat) && typeof unnamed === 'object' && !isDeep
  const others = hasOthers
    ? fc.dictionary(names, valuesOf(unnamed), { maxKeys: 3 })
    : fc.constant({})
  const all = fc.tuple(others, known).map(([first, last]) => ({ ...first, ...last }))
  const isOfSize = (value: object) => {
    const count = Object.keys(value).length
    return count >= Number(minProperties) && count <= Number(maxProperties)
  }
  return kept(all, isOfSize, 'objects')
}

const none = [-Number.MAX_VALUE, Number.MAX_VALUE] as const
const ranges: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
}

function boundsOf(schema: Schema) {
  const [lowest, highest] = ranges[String(schema['format'])] ?? none
  const limit = (keyword: string, otherwise: number) => Number(schema[keyword] ?? otherwise)
  const above = limit('exclusiveMinimum', -Infinity)
  const below = limit('exclusiveMaximum', Infinity)
  const [least, most] = [limit('minimum', lowest), limit('maximum', highest)]
  return {
    min: Math.max(above, least),
    max: Math.min(below, most),
    minExcluded: above >= least,
    maxExcluded: below <= most,
  }
}

/** Multiples of `multipleOf`, or integers, that a schema allows; often near zero and its limits. */
function integersOf(schema: Schema): fc.Arbitrary<number> {
  const { min, max, minExcluded, maxExcluded } = boundsOf(schema)
  const step = Number(schema['multipleOf'] ?? 1)
  const lowest = Math.max(min, Number.MIN_SAFE_INTEGER * Math.min(1, step))
  const highest = Math.min(max, Number.MAX_SAFE_INTEGER * Math.min(1, step))
  const [first, last] = [Math.ceil(lowest / step), Math.floor(highest / step)]
  return fc
    .integer({
      min: first + (minExcluded && first * step === min ? 1 : 0),
      max: last - (maxExcluded && last * step === max ? 1 : 0),
    })
    .map((count) => count * step + 0)
}

function numbersOf(schema: Schema): fc.Arbitrary<number> {
  if (schema['multipleOf'] !== undefined) return integersOf(schema)
  const doubles = fc.double({ ...boundsOf(schema), noNaN: true, noDefaultInfinity: true })
  // JSON has a negative zero, which is read as zero.
  return fc.oneof(doubles, integersOf(schema)).map((value) => value + 0)
}

/** Numbers on the wrong side of an upper limit, with the nearest one among them. */
export function numbersAbove(limit: number, isInteger: boolean): fc.Arbitrary<number> {
  const further = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 1_000 }), fc.constant(1e20))
  // A double beyond 2^53 may be equal to the limit.
  const beyond = further.map((more) => limit + more).filter((value) => value > limit)
  const nearest = limit + Math.max(Number.MIN_VALUE, Math.abs(limit) * Number.EPSILON)
  return isInteger ? beyond : fc.oneof(beyond, fc.constant(nearest))
}

/** Numbers between two multiples of a step. */
export function numbersBetween(schema: Schema, isInteger: boolean): fc.Arbitrary<number> {
  const step = Number(schema['multipleOf'])
  const off = isInteger ? fc.integer({ min: 1, max: Math.max(1, step - 1) }) : fc.constant(step / 2)
  const small = { ...schema, maximum: Math.min(1e6, Number(schema['maximum'] ?? 1e6)) }
  return fc.tuple(integersOf(small), off).map(([value, more]) => value + more)
}

/** Strings that have broken programs. */
const odd = [
  ...[' ', ' a ', '\t\n', "Robert'); DROP TABLE animals;--", '<b>', '%00', '\\', '"', '\u0000'],
  ...['\uFEFF', '\uFFFF', '\u2028', 'e\u0301', '\u00E9', '\u{1F415}\u200D\u{1F9BA}', '__proto__'],
]
/** What a string may be padded with. */
const padding = ['\u{1F43E}', 'a', '0', '-', ' ', '_']
const longest = 20_000

export interface StringLimits {
  readonly min: number
  readonly max: number
  readonly matches: (text: string) => boolean
  readonly pattern: RegExp | undefined
}

/** What a schema requires of strings; lengths count code points, as in JSON Schema. */
export function stringLimits({ minLength, maxLength, pattern }: Schema): StringLimits {
  const regExp = typeof pattern === 'string' ? new RegExp(pattern, 'u') : undefined
  return {
    min: Number(minLength ?? 0),
    max: Number(maxLength ?? Infinity),
    matches: (text) => regExp?.test(text) ?? true,
    pattern: regExp,
  }
}

/** Strings that a schema allows, those of the least and of the greatest length among them. */
export function stringsOf(limits: StringLimits): fc.Arbitrary<string> {
  const { min, max } = limits
  return fc.oneof(
    // A long string that fails is tried as a short one.
    { withCrossShrink: true },
    { weight: 6, arbitrary: usualStrings(limits) },
    { weight: 1, arbitrary: stringsAt(limits, min) },
    ...(max > longest ? [] : [{ weight: 1, arbitrary: stringsAt(limits, max) }]),
  )
}

/** Strings that a schema allows, of a length where the pattern permits it. */
export function stringsAt(limits: StringLimits, length: number): fc.Arbitrary<string> {
  const fits = fitting(limits)
  return usualStrings(limits).map((text) => resized(text, length, fits) ?? text)
}

const made = new Map<string, fc.Arbitrary<string>>()

// Making them takes long: fast-check lists the characters of each pattern.
function usualStrings(limits: StringLimits): fc.Arbitrary<string> {
  const key = `${limits.min} ${limits.max} ${limits.pattern}`
  const usual = made.get(key) ?? makeStrings(limits)
  made.set(key, usual)
  return usual
}

function makeStrings(limits: StringLimits): fc.Arbitrary<string> {
  const { pattern } = limits
  const fits = fitting(limits)
  const loose = looseStrings(limits)
  const sample = fc.sample(loose, { numRuns: 100, seed: 1 })
  const isRare = pattern !== undefined && sample.filter(fits).length < 25
  return (isRare ? fc.stringMatching(pattern) : loose).filter(fits)
}

function fitting({ min, max, matches }: StringLimits) {
  return (text: string) => matches(text) && lengthOf(text) >= min && lengthOf(text) <= max
}

function looseStrings({ min, max }: StringLimits): fc.Arbitrary<string> {
  const length = { minLength: min, maxLength: Math.min(max, min + 20) }
  return fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: 'grapheme-ascii', ...length }) },
    { weight: 2, arbitrary: fc.string({ unit: anyCharacter, ...length }) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  )
}

/** Strings that are too short, and match the pattern where such strings can be made. */
export function shorterStrings(limits: StringLimits): fc.Arbitrary<string> {
  const { min, matches } = limits
  const shorter = fc.tuple(stringsOf(limits), fc.integer({ min: 0, max: min - 1 }))
  return shorter.map(([text, length]) => resized(text, length, matches) ?? cut(text, length))
}

/** Strings that are too long, and match the pattern where such strings can be made. */
export function longerStrings(limits: StringLimits): fc.Arbitrary<string> {
  const { max, matches } = limits
  const more = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 50 }))
  return fc.tuple(stringsOf(limits), more, fc.boolean()).map(([text, extra, isPlain]) => {
    const length = max + extra
    const plain = 'a'.repeat(length)
    // One character may be one code unit, or two.
    if (isPlain && matches(plain)) return plain
    return resized(text, length, matches) ?? padded(text, length, 'a')
  })
}

/** Strings of a valid length that do not match the pattern. */
export function unmatchedStrings(limits: StringLimits): fc.Arbitrary<string> {
  const { min, max, matches } = limits
  const strange = fc.constantFrom('\u0000', '\n', ' ', '"', '\u00E9', '\u{1F43E}', '~', '\uD800')
  const spoilt = fc.tuple(stringsOf(limits), strange, fc.nat()).map(([text, character, at]) => {
    const characters = [...text]
    // It replaces a character where the string is already as long as it may be.
    const removed = characters.length < max ? 0 : 1
    return characters.toSpliced(at % (characters.length + 1), removed, character).join('')
  })
  const fits = (text: string) => lengthOf(text) >= min && lengthOf(text) <= max && !matches(text)
  return fc.oneof(spoilt, looseStrings(limits)).filter(fits)
}

function lengthOf(text: string): number {
  return [...text].length
}

/** Returns a string of another length that fits, if one can be made of its characters or `padding`. */
function resized(text: string, length: number, fits: (text: string) => boolean) {
  if (lengthOf(text) >= length) {
    const short = cut(text, length)
    return fits(short) ? short : undefined
  }
  const fillers = [...padding, ...new Set([...text].slice(0, 5))]
  return fillers.map((filler) => padded(text, length, filler)).find(fits)
}

function cut(text: string, length: number): string {
  return [...text].slice(0, length).join('')
}

// Before the last character, which patterns often restrict.
function padded(text: string, length: number, filler: string): string {
  const characters = [...text]
  const missing = Math.max(0, length - characters.length)
  return characters.toSpliced(-1, 0, filler.repeat(missing)).join('')
}
