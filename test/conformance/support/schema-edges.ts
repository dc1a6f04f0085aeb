import fc from 'fast-check'
import { type Json, toObject } from '../../support/traffic/contract-index.ts'
import type { Break } from './break.ts'
import { inFields } from './field-breaks.ts'
import { inItems, listsOf } from './item-breaks.ts'
import { type Flatten, listOf, type Schema, saysOfFields, typesOf } from './schema.ts'
import { stringLimits, stringsAt } from './strings.ts'
import { type ValuesOf, variantsOf } from './values.ts'
import type { Within } from './within.ts'

const deepest = 6
const longest = 1_000

/** Makes values that are only just valid: they reach a limit, or are one of a few. */
export function createEdgesOf(flatten: Flatten, valuesOf: ValuesOf) {
  function edgesOf(schema: Json | undefined, depth: number): Break[] {
    const flat = flatten(schema)
    if (flat['readOnly'] === true || depth > deepest) return []
    const variants = variantsOf(flat)
    if (variants.length > 0) return variants.flatMap((one) => edgesOf(one, depth))
    const types = typesOf(flat)
    const within = { valuesOf, breaksOf: (one: Json | undefined) => edgesOf(one, depth + 1) }
    const isDescribed = saysOfFields(flat) && types.includes('object')
    return [
      ...choices(flat),
      ...(types.includes('string') ? lengths(flat) : []),
      ...(types.includes('integer') ? limits(flat) : []),
      ...(isDescribed ? fields(flat, within) : []),
      ...(types.includes('array') && flat['items'] !== undefined
        ? [...inItems(flat, within), ...sizes(flat, valuesOf)]
        : []),
    ]
  }

  return (schema: Json | undefined): Break[] => edgesOf(schema, 0)
}

function choices(flat: Schema): Break[] {
  return listOf(flat['enum']).map((choice) => edge('enum', fc.constant(choice)))
}

function lengths(flat: Schema): Break[] {
  return ['minLength', 'maxLength'].flatMap((keyword) => {
    const length = flat[keyword]
    if (typeof length !== 'number' || length > 20_000) return []
    return [edge(keyword, stringsAt(stringLimits(flat), length))]
  })
}

function limits(flat: Schema): Break[] {
  return ['minimum', 'maximum'].flatMap((keyword) => {
    const limit = flat[keyword]
    return typeof limit === 'number' ? [edge(keyword, fc.constant(limit))] : []
  })
}

function sizes(flat: Schema, valuesOf: ValuesOf): Break[] {
  if (flat['uniqueItems'] === true) return []
  return ['minItems', 'maxItems'].flatMap((keyword) => {
    const size = flat[keyword]
    if (typeof size !== 'number' || size > longest) return []
    return [edge(keyword, listsOf(valuesOf(flat['items']), size))]
  })
}

function fields(flat: Schema, within: Within): Break[] {
  const whole = within.valuesOf({ ...flat, type: 'object' }).map(toObject)
  const names = listOf(flat['required'])
  const isRequired = ([name]: readonly [string, unknown]) => names.includes(name)
  const least = whole.map((all) => Object.fromEntries(Object.entries(all).filter(isRequired)))
  const isEnough = names.length >= Number(flat['minProperties'] ?? 0)
  return [...inFields(flat, whole, within), ...(isEnough ? [edge('required', least)] : [])]
}

function edge(keyword: string, values: fc.Arbitrary<Json>): Break {
  return { keyword, place: '', values }
}
