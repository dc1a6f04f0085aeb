import fc from 'fast-check'
import type { Json } from '../../support/traffic/contract-index.ts'
import { toObject } from '../../support/traffic/contract-index.ts'
import { formats } from './formats.ts'
import { kept } from './kept.ts'
import { integersOf, numbersOf } from './numbers.ts'
import { type Flatten, isClosed, listOf, type Schema, typesOf } from './schema.ts'
import { stringLimits, stringsOf } from './strings.ts'

/** Makes values that a schema allows. */
export type ValuesOf = (schema: Json | undefined) => fc.Arbitrary<Json>

/** From here on only what is needed is made, so that nothing goes on forever. */
const deepest = 4

/** Makes the arbitrary of valid values, for the schemas of one description. */
export function createValuesOf(flatten: Flatten): ValuesOf {
  function valuesOf(schema: Json | undefined, depth: number): fc.Arbitrary<Json> {
    const flat = flatten(schema)
    if (flat['const'] !== undefined) return fc.constant(flat['const'])
    if (flat['enum'] !== undefined) return fc.constantFrom(...listOf(flat['enum']))
    const variants = variantsOf(flat)
    if (variants.length > 0) return fc.oneof(...variants.map((one) => valuesOf(one, depth)))
    // What may be anything need not go on forever.
    const isOpen = flat['type'] === undefined && depth > deepest
    const types = isOpen ? ['string'] : typesOf(flat)
    return fc.oneof(...types.map((type) => ofType(type, flat, depth)))
  }

  function ofType(type: string, flat: Schema, depth: number): fc.Arbitrary<Json> {
    if (type === 'null') return fc.constant(null)
    if (type === 'boolean') return fc.boolean()
    if (type === 'integer') return integersOf(flat)
    if (type === 'number') return numbersOf(flat)
    if (type === 'string') return textsOf(flat)
    const goesOn = depth <= deepest
    const within = (one: Json | undefined) => valuesOf(one, depth + 1)
    return type === 'array' ? listsOf(flat, within, goesOn) : objectsOf(flat, within, goesOn)
  }

  return (schema) => valuesOf(schema, 0)
}

function listsOf(flat: Schema, valuesOf: ValuesOf, goesOn: boolean): fc.Arbitrary<Json> {
  const { items = {}, minItems, maxItems, uniqueItems } = flat
  const minLength = Number(minItems ?? 0)
  const most = Math.min(Number(maxItems ?? Infinity), minLength + (goesOn ? 4 : 0))
  const options = { minLength, maxLength: most }
  if (uniqueItems !== true) return fc.array(valuesOf(items), options)
  const selector = (value: Json) => JSON.stringify(value)
  return fc.uniqueArray(valuesOf(items), { ...options, selector })
}

/** Where it does not go on, fields that may be left out are. */
function objectsOf(flat: Schema, valuesOf: ValuesOf, goesOn: boolean): fc.Arbitrary<Json> {
  const { additionalProperties: unnamed, minProperties = 0, maxProperties = Infinity } = flat
  const required = listOf(flat['required']).map(String)
  const sent = Object.entries(toObject(flat['properties'])).filter(
    // What is for answers alone is not sent.
    ([name, schema]) =>
      required.includes(name) || (goesOn && toObject(schema)['readOnly'] !== true),
  )
  const known = fc.record(
    Object.fromEntries(sent.map(([name, schema]) => [name, valuesOf(schema)])),
    { requiredKeys: required, noNullPrototype: true },
  )
  const names = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 8 })
  const hasOthers = !isClosed(flat) && typeof unnamed === 'object' && goesOn
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

function textsOf(flat: Schema): fc.Arbitrary<string> {
  const format = formats[String(flat['format'])]
  return format?.values ?? stringsOf(stringLimits(flat))
}

/** The forms that a schema offers, each with what holds for all of them. */
export function variantsOf({ oneOf, anyOf, ...common }: Schema): Schema[] {
  if (oneOf !== undefined && anyOf !== undefined) throw new Error('oneOf and anyOf stand together.')
  return listOf(oneOf ?? anyOf).map((one) => ({ allOf: [common, one] }))
}
