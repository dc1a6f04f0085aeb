import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../pipeline/description.ts'

/** Whether a changed keyword of a schema allows fewer values than before, more, or just others. */
export type Effect = 'same' | 'narrower' | 'wider' | 'other'

const lowerBounds = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const upperBounds = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
/** Keywords that rule something out by standing there at all. */
const restrictions = [
  ...lowerBounds,
  ...upperBounds,
  ...['multipleOf', 'pattern', 'format', 'const', 'contentEncoding', 'contentMediaType', 'not'],
]
const closings = ['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems']

/** What a keyword's change from one value to another does; undefined means that it is not there. */
export function effectOf(keyword: string, base: unknown, current: unknown): Effect | undefined {
  if (keyword === 'enum') return compareLists(base, current, 'narrower')
  if (keyword === 'required') return compareLists(base ?? [], current ?? [], 'wider')
  if (keyword === 'type') return compareLists(toTypes(base), toTypes(current), 'narrower')
  if (keyword === 'uniqueItems') return compareFlags(base === true, current === true)
  if (closings.includes(keyword)) return compareClosings(base, current)
  if (!restrictions.includes(keyword)) return undefined
  if (base === undefined) return 'narrower'
  if (current === undefined) return 'wider'
  if (typeof base !== 'number' || typeof current !== 'number') return 'other'
  if (lowerBounds.includes(keyword)) return current > base ? 'narrower' : 'wider'
  if (upperBounds.includes(keyword)) return current < base ? 'narrower' : 'wider'
  return 'other'
}

/** The entries that only the first of two lists has. */
export function missingFrom(list: unknown, other: unknown): readonly unknown[] {
  if (!Array.isArray(list)) return []
  const others: readonly unknown[] = Array.isArray(other) ? other : []
  return list.filter((entry) => !others.some((each) => isDeepStrictEqual(each, entry)))
}

// A list of what is allowed gets narrower where it loses entries, one of what is demanded wider.
function compareLists(base: unknown, current: unknown, whenFewer: 'narrower' | 'wider'): Effect {
  const whenMore = whenFewer === 'narrower' ? 'wider' : 'narrower'
  if (base === undefined) return whenFewer
  if (current === undefined) return whenMore
  const [lost, gained] = [missingFrom(base, current), missingFrom(current, base)]
  if (lost.length > 0) return gained.length > 0 ? 'other' : whenFewer
  return gained.length > 0 ? whenMore : 'same'
}

function toTypes(value: unknown): unknown {
  const types = typeof value === 'string' ? [value] : value
  // Every integer is a number.
  return Array.isArray(types) && types.includes('number') ? [...types, 'integer'] : types
}

function compareFlags(base: boolean, current: boolean): Effect {
  if (base === current) return 'same'
  return current ? 'narrower' : 'wider'
}

function compareClosings(base: unknown, current: unknown): Effect {
  if (isObject(base) || isObject(current)) return 'other'
  return compareFlags(base === false, current === false)
}
