import { isDeepStrictEqual } from 'node:util'
import type { Fact, Location } from '../../server/description/location.ts'
import type { Compared, Context } from './compare-schemas.ts'
import type { Places } from './recorder.ts'
import type { SchemaStem } from './rules/schemas.ts'
import type { Way } from './rules/slots.ts'
import { meanTheSame } from './same-meaning.ts'
import {
  type Alternatives,
  type Bound,
  type BoundName,
  type Condition,
  type JsonType,
  jsonTypes,
  type Later,
  type LimitName,
  nameTypes,
  type Schema,
} from './schema/schema.ts'

export const newPropertyRules = {
  request: { required: 'new-required-request-property', optional: 'new-optional-request-property' },
  response: {
    required: 'response-required-property-added',
    optional: 'response-optional-property-added',
  },
  error: { required: 'error-property-added', optional: 'error-property-added' },
} as const

export const lostPropertyRules = {
  request: { required: 'request-property-removed', optional: 'request-property-removed' },
  response: {
    required: 'response-required-property-removed',
    optional: 'response-optional-property-removed',
  },
  error: { required: 'error-property-removed', optional: 'error-property-removed' },
} as const

/** The names of rules on bounds. */
const boundStems = {
  minimum: 'min',
  maximum: 'max',
  minLength: 'min-length',
  maxLength: 'max-length',
  minItems: 'min-items',
  maxItems: 'max-items',
  minProperties: 'min-properties',
  maxProperties: 'max-properties',
} as const

export function boundStem(
  name: BoundName,
  before: Fact<Bound> | undefined,
  after: Fact<Bound> | undefined,
) {
  const stem = boundStems[name]
  if (before === undefined) {
    return `${stem}-set` as const
  }
  if (after === undefined) {
    return `${stem}-unset` as const
  }
  const isHigher =
    after.value.value > before.value.value ||
    (after.value.value === before.value.value && after.value.isExclusive === name.startsWith('min'))
  return isHigher ? (`${stem}-increased` as const) : (`${stem}-decreased` as const)
}

/** Formats whose values are all values of another format, too. */
const widerFormats: Readonly<Record<string, string>> = { int32: 'int64', float: 'double' }

export function limitStem(
  name: LimitName,
  before: unknown,
  after: unknown,
): SchemaStem & `${string}-${'added' | 'removed' | 'changed' | 'generalized' | 'specialized'}` {
  const stem = limitStems[name]
  if (before === undefined) {
    return `${stem}-added`
  }
  if (after === undefined) {
    return `${stem}-removed`
  }
  if (name === 'format' && widerFormats[String(before)] === after) {
    return 'format-generalized'
  }
  if (name === 'format' && widerFormats[String(after)] === before) {
    return 'format-specialized'
  }
  if (name === 'multipleOf' && Number.isInteger(Number(after) / Number(before))) {
    return 'multiple-of-added'
  }
  if (name === 'multipleOf' && Number.isInteger(Number(before) / Number(after))) {
    return 'multiple-of-removed'
  }
  return `${stem}-changed`
}

const limitStems = {
  pattern: 'pattern',
  format: 'format',
  multipleOf: 'multiple-of',
  contentEncoding: 'content-encoding',
  contentMediaType: 'content-media-type',
} as const

/** Returns the types of a schema as a sentence shows them; undefined if it allows all of them. */
export function wordsOf({ types }: Schema): unknown {
  const names = nameTypes(types)
  if (types.size >= jsonTypes.length - 1) {
    return undefined
  }
  return names.length === 1 ? names[0] : names
}

/** Returns whether two schemas both allow one of some types. */
export function share({ base, current }: Compared, types: readonly JsonType[]): boolean {
  return types.some((type) => base.types.has(type) && current.types.has(type))
}

export function isList(values: readonly unknown[] | undefined, type: JsonType): boolean {
  return values !== undefined && values.length > 0 && type !== 'null'
}

/** Returns the entries that only the first of two lists has. */
export function missingFrom(
  list: readonly unknown[],
  other: readonly unknown[],
): readonly unknown[] {
  return list.filter((entry) => !other.some((each) => isDeepStrictEqual(each, entry)))
}

/** Returns the context of what is inside of a schema. */
export function toInside({ slot, mode }: Context): Context {
  return mode === undefined ? { slot } : { slot, mode }
}

/** Returns the context of what is not sent; what is inside of `not`, `if` or an unused component stays that. */
export function unsent(context: Context): Context {
  return { ...context, mode: context.mode ?? 'unsent' }
}

/** Returns whether a property is sent; what is readOnly is not in requests, what is writeOnly not in responses. */
export function isSent({ readOnly, writeOnly }: Schema, way: Way): boolean {
  return (way === 'request' ? readOnly : writeOnly) === undefined
}

/** Returns whether a property must be there. */
export function requiredIn({ required, properties }: Schema, name: string, way: Way): boolean {
  const schema = properties.get(name)?.schema()
  return required.has(name) && (schema === undefined || isSent(schema, way))
}

/** Returns the schema of the properties that nothing names, the alternatives included. */
export function othersOf({ additional, unevaluatedProperties: [unevaluated] }: Schema): Schema {
  const schema = additional()
  return schema.types.size === jsonTypes.length && unevaluated !== undefined
    ? unevaluated()
    : schema
}

/** Returns the schema whose keyword has something at a location. */
export function holderOf({ base, current }: Places): Places {
  const toHolder = (at: Location | undefined) =>
    at && { ...at, pointer: at.pointer.split('/').slice(0, -2).join('/') }
  return { base: toHolder(base), current: toHolder(current) }
}

/** Returns the alternatives of a schema that has nothing but them; undefined if it has anything else. */
export function wholeGroup(schema: Schema): Alternatives | undefined {
  const [group, ...otherGroups] = schema.alternatives
  if (group === undefined || otherGroups.length > 0) {
    return undefined
  }

  // A type beside the alternatives is no limit of its own if they have no other type.
  const branchTypes = group.branches.flatMap((branch) => [...branch().types])
  const allowsBranchTypes = branchTypes.every((type) => type === 'null' || schema.types.has(type))
  return allowsBranchTypes && hasNoLimits(schema) ? group : undefined
}

/** Returns whether a schema limits values by nothing but their types and its alternatives. */
function hasNoLimits(schema: Schema): boolean {
  const maps = [
    schema.values,
    schema.bounds,
    schema.limits,
    schema.required,
    schema.properties,
    schema.patternProperties,
    schema.dependentRequired,
    schema.dependentSchemas,
  ]
  const { propertyNames, positions, contains, not, conditions } = schema
  const lists = [propertyNames, positions, contains, not, conditions]
  const isOpen = (later: Later) => {
    const { size } = later().types
    return size === jsonTypes.length || size === 0
  }

  return (
    maps.every(({ size }) => size === 0) &&
    lists.every(({ length }) => length === 0) &&
    schema.uniqueItems === undefined &&
    (!schema.types.has('object') || isOpen(schema.additional)) &&
    (!schema.types.has('array') || isOpen(schema.items))
  )
}

/** What stands in the same place of two lists; undefined where one of them has nothing more. */
export type Row<Item> = readonly [before: Item | undefined, after: Item | undefined]

/** Pairs what two lists have, whatever its order, and leaves out what means the same in both. */
export function pairDifferent<Item>(
  before: readonly Item[],
  after: readonly Item[],
  isSame: (one: Item, other: Item) => boolean,
): readonly Row<Item>[] {
  const gained = [...after]
  const lost = before.filter((one) => {
    const index = gained.findIndex((other) => isSame(one, other))
    if (index >= 0) {
      gained.splice(index, 1)
    }
    return index < 0
  })
  const count = Math.max(lost.length, gained.length)
  return Array.from({ length: count }, (_, index) => [lost[index], gained[index]] as const)
}

/** Returns whether two schemas that are read later mean the same. */
export function isSameLater(one: Later, other: Later): boolean {
  return meanTheSame(one(), other())
}

/** Pairs the schemas of two lists of alternatives: those of the same name, of the same meaning, and the last ones. */
export function matchBranches(before: readonly Later[], after: readonly Later[]) {
  const lost = before.map((branch) => branch())
  const gained = after.map((branch) => branch())
  const pairs: [Schema, Schema][] = []
  const isSameName = (one: Schema, other: Schema) =>
    one.at.pointer === other.at.pointer && /^#\/components\/schemas\/[^/]+$/.test(one.at.pointer)
  for (const isMatch of [isSameName, meanTheSame]) {
    for (const schemaBefore of [...lost]) {
      const schemaAfter = gained.find((each) => isMatch(schemaBefore, each))
      if (schemaAfter === undefined) {
        continue
      }
      pairs.push([schemaBefore, schemaAfter])
      lost.splice(lost.indexOf(schemaBefore), 1)
      gained.splice(gained.indexOf(schemaAfter), 1)
    }
  }

  const [lastLost, ...otherLost] = lost
  const [lastGained, ...otherGained] = gained
  const areLast = otherLost.length === 0 && otherGained.length === 0
  if (!areLast || lastLost === undefined || lastGained === undefined) {
    return { pairs, lost, gained }
  }
  return { pairs: [...pairs, [lastLost, lastGained] as const], lost: [], gained: [] }
}

/** Returns what people call an alternative: the name of its component, its title, or which one it is. */
export function nameOfBranch(schema: Schema): string {
  const { pointer } = schema.at
  const [, index] = /\/(?:anyOf|oneOf|allOf)\/(\d+)$/.exec(pointer) ?? []
  if (index === undefined) {
    return pointer.slice(pointer.lastIndexOf('/') + 1)
  }
  const title = schema.texts.get('title')?.[0]?.value
  if (typeof title === 'string') {
    return title
  }
  const types = wordsOf(schema)
  const typesInWords = types === undefined ? '' : ` (${[types].flat().join(', ')})`
  return `schema ${Number(index) + 1}${typesInWords}`
}

/** Returns whether a group has one alternative alone. */
export function isOfOne({ branches }: Alternatives): boolean {
  return branches.length === 1
}

/** Returns the schema that a condition asks for. */
export function listIf(condition: Condition | undefined): readonly Later[] {
  return condition === undefined ? [] : [condition.if]
}
