import fc from 'fast-check'
import type { Json } from '../../support/traffic/contract-index.ts'
import { toObject } from '../../support/traffic/contract-index.ts'
import { formats } from './formats.ts'
import { integersOf, numbersOf } from './numbers.ts'
import { type Flatten, isClosed, listOf, type Schema, typesOf } from './schema.ts'
import { stringLimits, stringsOf } from './strings.ts'

/** Makes values that a schema allows. */
export type ValuesOf = (schema: Json | undefined) => fc.Arbitrary<Json>

/** Fields that may be left out are left out from here on, so that nothing goes on forever. */
const deepest = 4

/** Makes the arbitrary of valid values, for the schemas of one description. */
export function createValuesOf(flatten: Flatten): ValuesOf {
  function valuesOf(schema: Json | undefined, depth: number): fc.Arbitrary<Json> {
    const flat = flatten(schema)
    if (flat['const'] !== undefined) return fc.constant(flat['const'])
    if (flat['enum'] !== undefined) return fc.constantFrom(...listOf(flat['enum']))
    const variants = variantsOf(flat)
    if (variants.length > 0) return fc.oneof(...variants.map((one) => valuesOf(one, depth)))
    return fc.oneof(...typesOf(flat).map((type) => ofType(type, flat, depth)))
  }

  function ofType(type: string, flat: Schema, depth: number): fc.Arbitrary<Json> {
    if (type === 'null') return fc.constant(null)
    if (type === 'boolean') return fc.boolean()
    if (type === 'integer') return integersOf(flat)
    if (type === 'number') return numbersOf(flat)
    if (type === 'string') return textsOf(flat)
    if (type === 'array') return arrays(flat, depth)
    return objects(flat, depth)
  }

  function arrays(flat: Schema, depth: number): fc.Arbitrary<Json> {
    const { items = {}, minItems, maxItems, uniqueItems } = flat
    const minLength = Number(minItems ?? 0)
    const most = Math.min(Number(maxItems ?? Infinity), minLength + (depth > deepest ? 0 : 4))
    const options = { minLength, maxLength: most }
    const item = valuesOf(items, depth + 1)
    if (uniqueItems !== true) return fc.array(item, options)
    return fc.uniqueArray(item, { ...options, selector: (value) => JSON.stringify(value) })
  }

  function objects(flat: Schema, depth: number): fc.Arbitrary<Json> {
    const { additionalProperties: more } = flat
    const required = listOf(flat['required']).map(String)
    const described = Object.entries(toObject(flat['properties'])).filter(
      // Those are for answers; whoever sends them breaks the contract.
      ([name, schema]) => flatten(schema)['readOnly'] !== true || required.includes(name),
    )
    const known = described.filter(([name]) => depth <= deepest || required.includes(name))
    const fields = fc.record(
      Object.fromEntries(known.map(([name, schema]) => [name, valuesOf(schema, depth + 1)])),
      { requiredKeys: required, noNullPrototype: true },
    )
    if (isClosed(flat) || typeof more !== 'object' || depth > deepest) return fields
    const names = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 8 })
    const others = fc.dictionary(names, valuesOf(more, depth + 1), { maxKeys: 3 })
    return fc.tuple(others, fields).map(([first, last]) => ({ ...first, ...last }))
  }

  return (schema) => valuesOf(schema, 0)
}

function textsOf(flat: Schema): fc.Arbitrary<string> {
  const format = formats[String(flat['format'])]
  return format?.values ?? stringsOf(stringLimits(flat))
}

/** The forms that a schema offers, each with what holds for all of them. */
export function variantsOf({ oneOf, anyOf, ...common }: Schema): Schema[] {
  if (oneOf !== undefined && anyOf !== undefined) throw new Error('oneOf and anyOf stand together.')
  return listOf(oneOf ?? anyOf).map((one) => ({ allOf: [common, one] }))
}
