import type { Json } from '../../support/traffic/contract-index.ts'
import { type Break, refuseUnknown } from './break.ts'
import { fieldBreaks } from './field-breaks.ts'
import { itemBreaks } from './item-breaks.ts'
import { leafBreaks } from './leaf-breaks.ts'
import { type Flatten, saysOfFields, typesOf } from './schema.ts'
import { type ValuesOf, variantsOf } from './values.ts'

/** A schema may be part of itself: what is deeper than this is not broken. */
const deepest = 6

/** Makes every single violation: each keyword that a schema has, at each place where it has it. */
export function createBreaksOf(flatten: Flatten, valuesOf: ValuesOf) {
  function breaksOf(schema: Json | undefined, depth: number): Break[] {
    const flat = flatten(schema)
    refuseUnknown(flat)
    if (flat['readOnly'] === true) {
      return [{ keyword: 'readOnly', place: '', values: valuesOf(schema) }]
    }
    const variants = variantsOf(flat)
    if (variants.length > 0) {
      const breaks = variants.flatMap((one) => breaksOf(one, depth))
      return breaks.map((each) => ({ ...each, isDoubtful: true }))
    }
    const types = typesOf(flat)
    const within = { valuesOf, breaksOf: (one: Json | undefined) => breaksOf(one, depth + 1) }
    const hasFields = saysOfFields(flat)
    const hasItems = flat['items'] !== undefined || flat['maxItems'] !== undefined
    const goesOn = depth < deepest
    return [
      ...leafBreaks(flat, types),
      ...(goesOn && hasFields && types.includes('object') ? fieldBreaks(flat, within) : []),
      ...(goesOn && hasItems && types.includes('array') ? itemBreaks(flat, within) : []),
    ]
  }

  return (schema: Json | undefined): Break[] => breaksOf(schema, 0)
}
