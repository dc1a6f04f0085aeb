import { isDeepStrictEqual } from 'node:util'
import { isObject, toList, toObject } from '../../../server/description/json.ts'
import type { Fact } from '../../../server/description/location.ts'
import { matches } from './part-keywords.ts'
import {
  type Bound,
  type BoundName,
  isListed,
  type JsonType,
  type Later,
  type LimitName,
  type Schema,
} from './schema.ts'

export function typeOf(value: unknown): JsonType {
  if (value === null) {
    return 'null'
  }
  if (Array.isArray(value)) {
    return 'array'
  }
  if (typeof value === 'number') {
    return Number.isInteger(value) ? 'integer' : 'fraction'
  }
  if (typeof value === 'boolean') {
    return 'boolean'
  }
  return isObject(value) ? 'object' : 'string'
}

/** Leaves of types and values those that something else allows, too. */
export function keepCommon(
  types: Set<JsonType>,
  values: Map<JsonType, readonly unknown[]>,
  stated: Pick<Schema, 'types' | 'values'>,
): void {
  for (const type of types) {
    if (!stated.types.has(type)) {
      types.delete(type)
    }
  }
  for (const [type, allowed] of stated.values) {
    const before = values.get(type)
    values.set(type, before?.filter((value) => includes(allowed, value)) ?? allowed)
  }
}

/** Returns a list of values by their types, and leaves of the types those that have any. */
export function splitByType(types: Set<JsonType>, allowed: readonly unknown[]) {
  const values = new Map<JsonType, readonly unknown[]>()
  for (const type of types) {
    const ofType = allowed.filter((value) => typeOf(value) === type)
    const isWhole = type === 'null' || (type === 'boolean' && ofType.length > 1)
    if (ofType.length === 0) {
      types.delete(type)
    } else if (!isWhole) {
      values.set(type, ofType)
    }
  }
  return values
}

export function includes(list: unknown, value: unknown): boolean {
  return toList(list).some((each) => isDeepStrictEqual(each, value))
}

/** Returns whether a schema says nothing but which types are valid. */
export function isTypeAlone(value: unknown): boolean {
  const keys = Object.keys(toObject(value)).filter((key) => !/^(?:title|description)$/.test(key))
  return keys.length === 1 && keys[0] === 'type'
}

/** Returns whether the types of schemas have none in common but `null`. */
export function areApart(schemas: readonly Schema[]): boolean {
  const types = schemas.flatMap((schema) => [...schema.types].filter((type) => type !== 'null'))
  return new Set(types).size === types.length
}

export function haveNoCommonValue(schemas: readonly Schema[]): boolean {
  const values = schemas.flatMap((schema) => [...schema.values.values()].flat())
  return new Set(values.map((value) => JSON.stringify(value))).size === values.length
}

/** Returns whether no value can match two of some schemas, such as those with a property that names the form. */
export function excludeEachOther(branches: readonly Later[]): boolean {
  const schemas = branches.map((branch) => branch())
  if (areApart(schemas)) {
    return true
  }
  const [first, ...otherSchemas] = schemas
  if (!schemas.every(({ types }) => types.size === 1 && types.has('object'))) {
    return false
  }
  return [...(first?.required.keys() ?? [])].some((name) => {
    const isEverywhere = otherSchemas.every(({ required }) => required.has(name))
    const named = schemas.flatMap(({ properties }) => properties.get(name)?.schema() ?? [])
    if (!isEverywhere || named.length < schemas.length) {
      return false
    }
    return (
      named.every(isListed) &&
      haveNoCommonValue(named) &&
      named.every(({ types }) => types.size > 0)
    )
  })
}

export function joinValues(schemas: readonly Schema[]): ReadonlyMap<JsonType, readonly unknown[]> {
  const joined = new Map<JsonType, readonly unknown[]>()
  for (const { values } of schemas) {
    for (const [type, allowed] of values) {
      const ofOthers = joined.get(type) ?? []
      const added = allowed.filter((value) => !includes(ofOthers, value))
      joined.set(type, [...ofOthers, ...added])
    }
  }
  return joined
}

export function isTighter(name: BoundName, one: Bound, other: Bound): boolean {
  if (one.value === other.value) {
    return one.isExclusive && !other.isExclusive
  }
  return name.startsWith('min') ? one.value > other.value : one.value < other.value
}

/** Returns the bound of integers that means the same. */
export function toInclusive(name: BoundName, { value, isExclusive }: Bound): Bound {
  if (name === 'minimum') {
    const lowest = isExclusive ? Math.floor(value) + 1 : Math.ceil(value)
    return { value: lowest, isExclusive: false }
  }
  if (name !== 'maximum') {
    return { value, isExclusive }
  }
  const highest = isExclusive ? Math.ceil(value) - 1 : Math.floor(value)
  return { value: highest, isExclusive: false }
}

/** Leaves out the listed values that other keywords rule out. */
export function filterValues(
  allowed: { readonly types: Set<JsonType>; readonly values: Map<JsonType, readonly unknown[]> },
  bounds: ReadonlyMap<BoundName, Fact<Bound>>,
  limits: ReadonlyMap<LimitName, readonly Fact<string | number>[]>,
) {
  const types = new Set(allowed.types)
  const values = new Map<JsonType, readonly unknown[]>()
  for (const [type, listed] of allowed.values) {
    const left = types.has(type) ? listed.filter((value) => isWithin(value, bounds, limits)) : []
    if (left.length > 0) {
      values.set(type, left)
    } else {
      types.delete(type)
    }
  }
  return { types, values }
}

export function isSameSize(
  one: ReadonlyMap<JsonType, readonly unknown[]>,
  other: ReadonlyMap<JsonType, readonly unknown[]>,
): boolean {
  const [before, after] = [one, other].map((values) => [...values.values()].flat().length)
  return before === after
}

function isWithin(
  value: unknown,
  bounds: ReadonlyMap<BoundName, Fact<Bound>>,
  limits: ReadonlyMap<LimitName, readonly Fact<string | number>[]>,
): boolean {
  if (typeof value === 'string') {
    const { length } = [...value]
    const patterns = limits.get('pattern') ?? []
    return (
      isBetween(length, bounds.get('minLength'), bounds.get('maxLength')) &&
      patterns.every((pattern) => matches(String(pattern.value), value))
    )
  }
  if (typeof value !== 'number') {
    return true
  }
  const multiples = limits.get('multipleOf') ?? []
  return (
    isBetween(value, bounds.get('minimum'), bounds.get('maximum')) &&
    multiples.every((multiple) => Number.isInteger(value / Number(multiple.value)))
  )
}

function isBetween(
  value: number,
  lowest: Fact<Bound> | undefined,
  highest: Fact<Bound> | undefined,
): boolean {
  const isAtLimit = (bound: Bound) => value === bound.value && !bound.isExclusive
  const isAbove = lowest === undefined || value > lowest.value.value || isAtLimit(lowest.value)
  const isBelow = highest === undefined || value < highest.value.value || isAtLimit(highest.value)
  return isAbove && isBelow
}
