import fc from 'fast-check'
import { type Description, type Json, type JsonObject, toList, toObject } from './description.ts'
import {
  anyCharacter,
  createFlatten,
  createIsValid,
  type Flatten,
  formats,
  isClosed,
  kept,
  type Schema,
  typesOf,
  variantsOf,
} from './schemas.ts'
import {
  createValuesOf,
  longerStrings,
  numbersAbove,
  numbersBetween,
  shorterStrings,
  stringLimits,
  stringsAt,
  unmatchedStrings,
  type ValuesOf,
} from './values.ts'

/** Values that break one keyword of a schema, or reach its limit. */
export interface Variation {
  readonly keyword: string
  /** Where, as a JSON Pointer (RFC 6901) into the value; `*` is any item of an array. */
  readonly place: string
  readonly values: fc.Arbitrary<Json>
  /** Whether another form that the schema offers may accept them. */
  readonly isUncertain?: boolean
}

/** What can be generated from the schemas of a description. */
export interface Generator {
  readonly description: Description
  readonly flatten: Flatten
  /** Values that a schema allows. */
  readonly valuesOf: ValuesOf
  /** Valid values that reach the limit of one keyword. */
  readonly edgesOf: (schema: Json | undefined) => readonly Variation[]
  /** Values with one violation, for each keyword of a schema and of those inside it. */
  readonly violationsOf: (schema: Json | undefined) => readonly Variation[]
}

/** A schema may be part of itself: deeper than this it is not varied. */
const deepest = 6
const known = new Set([
  ...['type', 'enum', 'const', 'format', 'pattern', 'minLength', 'maxLength', 'multipleOf'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems'],
  ...['items', 'uniqueItems', 'properties', 'required', 'minProperties', 'maxProperties'],
  ...['additionalProperties', 'unevaluatedProperties', 'oneOf', 'anyOf', 'discriminator'],
  ...['readOnly', 'writeOnly'],
])

/** Makes generators from a description; Ajv confirms that what they make is valid, or is not. */
export function createGenerator(description: Description): Generator {
  const flatten = createFlatten(description)
  const isValid = createIsValid(description)
  const valuesOf = createValuesOf(flatten)
  const edges = createVariations(flatten, valuesOf, edgesAt)
  const violations = createVariations(flatten, valuesOf, violationsAt)
  return {
    description,
    flatten,
    valuesOf: (schema) =>
      kept(valuesOf(schema), (value) => isValid(schema, value), JSON.stringify(schema)),
    edgesOf: (schema) =>
      edges(schema).map(({ keyword, place, values }) => {
        const valid = kept(values, (value) => isValid(schema, value), `${keyword} at ${place}`)
        return { keyword, place, values: valid }
      }),
    violationsOf: (schema) =>
      violations(schema).flatMap(({ keyword, place, values, isUncertain = false }) => {
        // For Ajv a read-only field is as valid in a request as in a response.
        const isBroken = (value: Json) => keyword === 'readOnly' || !isValid(schema, value)
        const isPossible =
          !isUncertain || fc.sample(values, { numRuns: 10, seed: 1 }).some(isBroken)
        if (!isPossible) return []
        return [{ keyword, place, values: kept(values, isBroken, `${keyword} at ${place}`) }]
      }),
  }
}

/** What the schemas inside a schema are varied with. */
interface Within {
  readonly valuesOf: ValuesOf
  readonly vary: (schema: Json | undefined) => Variation[]
}

type VariationsAt = (flat: Schema, types: readonly string[], within: Within) => Variation[]

function createVariations(flatten: Flatten, valuesOf: ValuesOf, variationsAt: VariationsAt) {
  function vary(schema: Json | undefined, depth: number): Variation[] {
    const flat = flatten(schema)
    const unknown = Object.keys(flat).find((keyword) => !known.has(keyword))
    if (unknown !== undefined) {
      throw new Error(
        `The keyword ${unknown} has no violations; add it to ${import.meta.filename}.`,
      )
    }
    if (depth > deepest) return []
    const variants = variantsOf(flat)
    if (variants.length > 0) {
      const all = variants.flatMap((one) => vary(one, depth))
      return all.map((each) => ({ ...each, isUncertain: true }))
    }
    const within = { valuesOf, vary: (one: Json | undefined) => vary(one, depth + 1) }
    return variationsAt(flat, typesOf(flat), within)
  }

  return (schema: Json | undefined): Variation[] => vary(schema, 0)
}

function at(keyword: string, values: fc.Arbitrary<Json>): Variation {
  return { keyword, place: '', values }
}

/** One variation for a keyword of a schema that is a number. */
function ofLimit(
  flat: Schema,
  keyword: string,
  toValues: (limit: number) => fc.Arbitrary<Json>,
): Variation[] {
  const limit = flat[keyword]
  return typeof limit === 'number' ? [at(keyword, toValues(limit))] : []
}

function edgesAt(flat: Schema, types: readonly string[], within: Within): Variation[] {
  if (flat['readOnly'] === true) return []
  const lengths = (keyword: string) =>
    ofLimit(flat, keyword, (length) => stringsAt(stringLimits(flat), Math.min(length, 20_000)))
  const sizes = (keyword: string) =>
    flat['uniqueItems'] === true || Number(flat[keyword]) > 1_000
      ? []
      : ofLimit(flat, keyword, (size) => arraysOfLength(within.valuesOf(flat['items'] ?? {}), size))
  const isArray = types.includes('array') && flat['items'] !== undefined
  return [
    ...toList(flat['enum']).map((choice) => at('enum', fc.constant(choice))),
    ...(types.includes('string') ? ['minLength', 'maxLength'].flatMap(lengths) : []),
    ...(types.includes('integer') || types.includes('number')
      ? ['minimum', 'maximum'].flatMap((keyword) => ofLimit(flat, keyword, fc.constant))
      : []),
    ...(types.includes('object') && describesFields(flat) ? fieldEdges(flat, within) : []),
    ...(isArray ? [...inItems(flat, within), ...['minItems', 'maxItems'].flatMap(sizes)] : []),
  ]
}

function fieldEdges(flat: Schema, within: Within): Variation[] {
  const whole = objectsOf(flat, within)
  const names = toList(flat['required'])
  const least = whole.map((all) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))),
  )
  const isEnough = names.length >= Number(flat['minProperties'] ?? 0)
  return [...inFields(flat, whole, within), ...(isEnough ? [at('required', least)] : [])]
}

/** One value of each type, or a few. */
const samples: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  null: fc.constant(null),
  boolean: fc.boolean(),
  integer: fc.constantFrom(0, 1, -1, 7),
  number: fc.constantFrom(0.5, -1.25, 1e-7),
  string: fc.constantFrom('', '1', 'true', 'null', 'a'),
  array: fc.constantFrom([], [1], [null]),
  object: fc.constantFrom({}, { value: 1 }),
}

function violationsAt(flat: Schema, types: readonly string[], within: Within): Variation[] {
  if (flat['readOnly'] === true) return [at('readOnly', within.valuesOf(flat))]
  const isAllowed = (type: string) =>
    types.includes(type) || (type === 'integer' && types.includes('number'))
  const hasItems = flat['items'] !== undefined || flat['maxItems'] !== undefined
  return [
    ...Object.entries(samples)
      .filter(([type]) => !isAllowed(type))
      .map(([, values]) => at('type', values)),
    ...choiceViolations(flat),
    ...(types.includes('string') ? stringViolations(flat) : []),
    ...(isAllowed('integer') ? numberViolations(flat, !types.includes('number')) : []),
    ...(types.includes('object') && describesFields(flat) ? fieldViolations(flat, within) : []),
    ...(types.includes('array') && hasItems ? itemViolations(flat, within) : []),
  ]
}

function choiceViolations(flat: Schema): Variation[] {
  const keyword = flat['const'] === undefined ? 'enum' : 'const'
  const choices = flat['const'] === undefined ? toList(flat['enum']) : [flat['const']]
  if (choices.length === 0) return []
  const near = choices.flatMap((choice): Json[] => {
    if (typeof choice === 'number') return [choice + 1, choice - 1, -choice]
    if (typeof choice !== 'string') return []
    return [choice.toUpperCase(), `${choice} `, choice.slice(0, -1), `${choice}s`, ` ${choice}`]
  })
  const areTexts = choices.every((choice) => typeof choice === 'string')
  const any = areTexts ? [fc.string({ unit: 'grapheme-ascii', maxLength: 12 })] : []
  const isOther = (value: Json) => !choices.includes(value)
  return [at(keyword, fc.oneof(fc.constantFrom(...near), ...any).filter(isOther))]
}

function stringViolations(flat: Schema): Variation[] {
  const { minLength, pattern, format } = flat
  const limits = stringLimits(flat)
  const known = formats[String(format)]
  const misformatted = known?.values
    .chain((text) => fc.constantFrom(`${text.slice(0, -1)}_`, 'x', 'today', '-'))
    .filter((text) => !known.isOne(text))
  return [
    ...(Number(minLength) > 0 ? [at('minLength', shorterStrings(limits))] : []),
    ...ofLimit(flat, 'maxLength', () => longerStrings(limits)),
    ...(pattern === undefined ? [] : [at('pattern', unmatchedStrings(limits))]),
    ...(misformatted === undefined ? [] : [at('format', misformatted)]),
  ]
}

function numberViolations(flat: Schema, isInteger: boolean): Variation[] {
  const above = (limit: number) => numbersAbove(limit, isInteger)
  const below = (limit: number) => numbersAbove(-limit, isInteger).map((value) => -value)
  return [
    ...ofLimit(flat, 'minimum', below),
    ...ofLimit(flat, 'maximum', above),
    ...ofLimit(flat, 'exclusiveMinimum', (limit) => fc.oneof(fc.constant(limit), below(limit))),
    ...ofLimit(flat, 'exclusiveMaximum', (limit) => fc.oneof(fc.constant(limit), above(limit))),
    ...ofLimit(flat, 'multipleOf', () => numbersBetween(flat, isInteger)),
    ...(flat['format'] === 'int32' ? [at('format', above(2 ** 31 - 1))] : []),
  ]
}

function fieldViolations(flat: Schema, within: Within): Variation[] {
  const { minProperties, maxProperties } = flat
  const whole = objectsOf(flat, within)
  const missing = toList(flat['required']).map((name) => ({
    keyword: 'required',
    place: tokenOf(String(name)),
    values: whole.map(({ [String(name)]: _left, ...others }) => others),
  }))
  const fewer = whole.map((all) =>
    Object.fromEntries(Object.entries(all).slice(0, Number(minProperties) - 1)),
  )
  const more = whole.map((all) => {
    const count = Math.max(0, Number(maxProperties) + 1 - Object.keys(all).length)
    const [value = null] = Object.values(all)
    const added = Array.from({ length: count }, (_, number) => [`more${number}`, value])
    return { ...all, ...Object.fromEntries(added) }
  })
  return [
    ...inFields(flat, whole, within),
    ...missing,
    ...(isClosed(flat) ? [at('unknown field', withUnknownField(flat, whole))] : []),
    ...(Number(minProperties) > 0 ? [at('minProperties', fewer)] : []),
    ...(maxProperties === undefined ? [] : [at('maxProperties', more)]),
  ]
}

/** Objects of which one field varies. */
function inFields(flat: Schema, whole: fc.Arbitrary<JsonObject>, { vary }: Within): Variation[] {
  const { additionalProperties: unnamed } = flat
  // A name that is not described stands for all of them.
  const more = typeof unnamed === 'object' ? [['another', unnamed] as const] : []
  return [...Object.entries(toObject(flat['properties'])), ...more].flatMap(([name, schema]) =>
    vary(schema).map(({ place, values, ...others }) => ({
      ...others,
      place: tokenOf(name) + place,
      values: fc.tuple(whole, values).map(([all, value]) => withField(all, name, value)),
    })),
  )
}

function withUnknownField(flat: Schema, whole: fc.Arbitrary<JsonObject>): fc.Arbitrary<Json> {
  const described = Object.keys(toObject(flat['properties']))
  const near = described.flatMap((name) => [name.toUpperCase(), `${name}s`, ` ${name}`, `_${name}`])
  const any = fc.string({ unit: anyCharacter, maxLength: 12 })
  const names = fc
    .oneof(fc.constantFrom(...near, 'id', '__proto__', 'constructor', '', '~a/b'), any)
    .filter((name) => !described.includes(name))
  const contents = fc.oneof(fc.constant(null), fc.integer(), fc.string({ maxLength: 3 }))
  return fc
    .tuple(whole, names, contents)
    .map(([all, name, content]) => withField(all, name, content))
}

function itemViolations(flat: Schema, within: Within): Variation[] {
  const { items = {}, minItems, uniqueItems } = flat
  const exactly = (length: number) => arraysOfLength(within.valuesOf(items), length)
  const twice = filledArrays(flat, within).map((list) => {
    return [...list.slice(0, -1), list[0] ?? null, list[0] ?? null]
  })
  return [
    ...inItems(flat, within),
    ...(Number(minItems) > 0 ? [at('minItems', exactly(Number(minItems) - 1))] : []),
    ...ofLimit(flat, 'maxItems', (limit) => exactly(limit + 1)),
    ...(uniqueItems === true ? [at('uniqueItems', twice)] : []),
  ]
}

/** Arrays of which one item varies. */
function inItems(flat: Schema, within: Within): Variation[] {
  const filled = filledArrays(flat, within)
  return within.vary(flat['items'] ?? {}).map(({ place, values, ...others }) => ({
    ...others,
    place: `/*${place}`,
    values: fc
      .tuple(filled, values, fc.nat())
      .map(([list, value, number]) => list.with(number % list.length, value)),
  }))
}

function arraysOfLength(items: fc.Arbitrary<Json>, length: number): fc.Arbitrary<Json[]> {
  return fc.array(items, { minLength: length, maxLength: length })
}

function filledArrays(flat: Schema, { valuesOf }: Within): fc.Arbitrary<readonly Json[]> {
  const least = Math.max(1, Number(flat['minItems'] ?? 0))
  return valuesOf({ ...flat, type: 'array', minItems: least }).map(toList)
}

function objectsOf(flat: Schema, { valuesOf }: Within): fc.Arbitrary<JsonObject> {
  return valuesOf({ ...flat, type: 'object' }).map(toObject)
}

/** Whether a schema says anything of the fields of objects. */
function describesFields(schema: Schema): boolean {
  const { properties, additionalProperties, minProperties, maxProperties } = schema
  const described = [properties, additionalProperties, minProperties, maxProperties]
  return isClosed(schema) || described.some((value) => value !== undefined)
}

// Not by assignment: `__proto__` is a field like others.
function withField(all: JsonObject, name: string, value: Json): JsonObject {
  return Object.fromEntries([...Object.entries(all), [name, value]])
}

function tokenOf(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
