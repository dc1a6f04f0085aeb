import fc from 'fast-check'
import type { Json } from '../../support/traffic/contract-index.ts'
import type { Break } from './break.ts'
import { listOf, type Schema } from './schema.ts'
import type { Within } from './within.ts'

/** What breaks a schema in a list, or in one of its items. */
export function itemBreaks(flat: Schema, within: Within): Break[] {
  const { items = {}, minItems, maxItems, uniqueItems } = flat
  const exactly = (length: number) => listsOf(within.valuesOf(items), length)
  const twice = filledLists(flat, within).map((list) => {
    return [...list.slice(0, -1), list[0] ?? null, list[0] ?? null]
  })
  const few = Number(minItems ?? 0) - 1
  const many = Number(maxItems) + 1
  return [
    ...inItems(flat, within),
    ...(few < 0 ? [] : [{ keyword: 'minItems', place: '', values: exactly(few) }]),
    ...(maxItems === undefined ? [] : [{ keyword: 'maxItems', place: '', values: exactly(many) }]),
    ...(uniqueItems === true ? [{ keyword: 'uniqueItems', place: '', values: twice }] : []),
  ]
}

/** Lists one item of which is what breaks, or reaches the limits of, the schema of items. */
export function inItems(flat: Schema, within: Within): Break[] {
  const filled = filledLists(flat, within)
  return within.breaksOf(flat['items'] ?? {}).map(({ place, values, ...others }) => ({
    ...others,
    place: `/*${place}`,
    values: fc
      .tuple(filled, values, fc.nat())
      .map(([list, value, at]) => list.with(at % list.length, value)),
  }))
}

/** Lists of one length. */
export function listsOf(items: fc.Arbitrary<Json>, length: number): fc.Arbitrary<Json[]> {
  return fc.array(items, { minLength: length, maxLength: length })
}

function filledLists(flat: Schema, { valuesOf }: Within): fc.Arbitrary<readonly Json[]> {
  const least = Math.max(1, Number(flat['minItems'] ?? 0))
  return valuesOf({ ...flat, type: 'array', minItems: least }).map(listOf)
}
