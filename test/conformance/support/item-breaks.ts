import fc from 'fast-check'
import type { Break } from './break.ts'
import { listOf, type Schema } from './schema.ts'
import type { Within } from './within.ts'

/** What breaks a schema in a list, or in one of its items. */
export function itemBreaks(flat: Schema, { valuesOf, breaksOf }: Within): Break[] {
  const { items = {}, minItems, maxItems, uniqueItems } = flat
  const least = Math.max(1, Number(minItems ?? 0))
  const filled = valuesOf({ ...flat, type: 'array', minItems: least }).map(listOf)
  const exactly = (length: number) =>
    fc.array(valuesOf(items), { minLength: length, maxLength: length })
  const within = breaksOf(items).map(({ keyword, place, values }) => ({
    keyword,
    place: `/*${place}`,
    values: fc
      .tuple(filled, values, fc.nat())
      .map(([list, value, at]) => list.with(at % list.length, value)),
  }))
  const twice = filled.map((list) => [...list.slice(0, -1), list[0] ?? null, list[0] ?? null])
  const few = Number(minItems ?? 0) - 1
  const many = Number(maxItems) + 1
  return [
    ...within,
    ...(few < 0 ? [] : [{ keyword: 'minItems', place: '', values: exactly(few) }]),
    ...(maxItems === undefined ? [] : [{ keyword: 'maxItems', place: '', values: exactly(many) }]),
    ...(uniqueItems === true ? [{ keyword: 'uniqueItems', place: '', values: twice }] : []),
  ]
}
