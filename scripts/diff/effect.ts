import { isDeepStrictEqual } from 'node:util'
import { pointerKeys } from '../pipeline/description.ts'
import type { Difference } from './verdicts.ts'

/** Whether a schema allows fewer values than before, more, or just others. */
export type Effect = 'same' | 'narrower' | 'wider' | 'other'

const lowerBounds = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const upperBounds = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
const restrictions = [
  ...lowerBounds,
  ...upperBounds,
  ...['multipleOf', 'pattern', 'format', 'contentEncoding', 'contentMediaType'],
]
const closings = ['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems', 'items']

/** Returns what a difference does to the values that a schema allows, if it is about them. */
export function effectOf(difference: Difference): Effect | undefined {
  const effect = difference.kind === 'modified' ? ofKeyword(difference) : ofSchema(difference)
  // A limit on what must not match, or on when another one applies, has the opposite effect.
  const isInverse = /(?<!\/properties)\/(?:not|if)\//.test(`${difference.pointer}/`)
  return isInverse && effect !== undefined && effect !== 'same' ? 'other' : effect
}

function ofSchema({ kind, typeName, pointer }: Difference): Effect | undefined {
  const [parent, key] = pointerKeys(pointer).slice(-2)
  if (typeName === 'Schema' && key === 'schema') return 'other'
  const isLimit = typeName === 'PatternProperties' || parent === 'patternProperties' || key === 'if'
  if (!isLimit) return undefined
  return kind === 'added' ? 'narrower' : 'wider'
}

function ofKeyword({ typeName, property, before, after }: Difference): Effect | undefined {
  if (typeName !== 'Schema') return undefined
  if (property === 'enum') return compareLists(before, after, 'narrower')
  if (property === 'required') return compareLists(before ?? [], after ?? [], 'wider')
  if (property === 'type') return compareLists(toTypes(before), toTypes(after), 'narrower')
  if (property === 'uniqueItems') return compareFlags(before === true, after === true)
  if (property === 'nullable') return compareFlags(before !== true, after !== true)
  if (closings.includes(property)) return compareFlags(before === false, after === false)
  if (!restrictions.includes(property)) return undefined
  if (before === undefined) return 'narrower'
  if (after === undefined) return 'wider'
  if (typeof before !== 'number' || typeof after !== 'number') return 'other'
  if (lowerBounds.includes(property)) return after > before ? 'narrower' : 'wider'
  if (upperBounds.includes(property)) return after < before ? 'narrower' : 'wider'
  return 'other'
}

// A list of what is allowed gets narrower where it loses entries, one of what is required wider.
function compareLists(before: unknown, after: unknown, whenFewer: 'narrower' | 'wider'): Effect {
  const whenMore = whenFewer === 'narrower' ? 'wider' : 'narrower'
  if (before === undefined) return whenFewer
  if (after === undefined) return whenMore
  const [lost, gained] = [missingFrom(before, after), missingFrom(after, before)]
  if (lost.length > 0) return gained.length > 0 ? 'other' : whenFewer
  return gained.length > 0 ? whenMore : 'same'
}

function toTypes(value: unknown): unknown {
  const types = typeof value === 'string' ? [value] : value
  // Every integer is a number.
  return Array.isArray(types) && types.includes('number') ? [...types, 'integer'] : types
}

function compareFlags(before: boolean, after: boolean): Effect {
  if (before === after) return 'same'
  return after ? 'narrower' : 'wider'
}

/** Returns the entries that only the first of two lists has. */
export function missingFrom(list: unknown, other: unknown): readonly unknown[] {
  if (!Array.isArray(list)) return []
  const others: readonly unknown[] = Array.isArray(other) ? other : []
  return list.filter((entry) => !others.some((each) => isDeepStrictEqual(each, entry)))
}
