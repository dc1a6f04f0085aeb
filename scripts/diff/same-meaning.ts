import { isDeepStrictEqual } from 'node:util'
import type { Fact } from '../model/location.ts'
import {
  type Alternatives,
  type Discriminator,
  isNever,
  type Later,
  type Member,
  type Schema,
} from '../model/schema.ts'
import { toSortedJson } from '../pipeline/description.ts'

/** The pairs of schemas that are taken to mean the same while what they lead to is compared. */
type Assumed = Set<string>

const known = new WeakMap<Schema, WeakMap<Schema, boolean>>()

/**
 * Returns whether two schemas mean the same in every direction, texts and examples aside. It shares no
 * code with the comparison that finds changes, so that each can be held against the other.
 */
export function meanTheSame(base: Schema, current: Schema): boolean {
  const results = known.get(base) ?? new WeakMap<Schema, boolean>()
  known.set(base, results)
  const found = results.get(current) ?? areSame(base, current, new Set())
  results.set(current, found)
  return found
}

function areSame(base: Schema, current: Schema, assumed: Assumed, ignoresNull = false): boolean {
  const key = `${base.id} ${current.id} ${ignoresNull}`
  if (assumed.has(key)) return true
  assumed.add(key)
  const [before, after] = [base, current].map((schema) => listFacts(schema, ignoresNull))
  if (!isDeepStrictEqual(before, after)) return false
  const same = (one: Later, other: Later) => areSame(one(), other(), assumed)
  const sameAll = (one: readonly Later[], other: readonly Later[]) =>
    one.length === other.length && one.every((each, index) => same(each, other[index] ?? each))
  const sameMembers = (one: Members, other: Members) =>
    [...one].every(([name, { schema }]) => same(schema, other.get(name)?.schema ?? schema))
  const count = Math.max(base.positions.length, current.positions.length)
  const positionsOf = ({ positions, items }: Schema) =>
    Array.from({ length: count }, (_, index) => positions[index] ?? items)
  return (
    sameMembers(propertiesOf(base), propertiesOf(current)) &&
    sameAll(positionsOf(base), positionsOf(current)) &&
    sameMembers(patternsOf(base), patternsOf(current)) &&
    sameMembers(base.dependentSchemas, current.dependentSchemas) &&
    sameAll(laterOf(base), laterOf(current)) &&
    sameAlternatives(base.alternatives, current.alternatives, assumed)
  )
}

type Members = ReadonlyMap<string, Member>

/** Returns the properties but those that are ruled out like all that are not listed. */
function propertiesOf({ properties, additional }: Schema): Members {
  const isRuledOut = ({ schema }: Member) => isNever(schema()) && isNever(additional())
  return new Map([...properties].filter(([, member]) => !isRuledOut(member)))
}

/** Returns the patterns of names whose schema differs from that of all other properties. */
export function patternsOf({ patternProperties, additional }: Schema): Members {
  return new Map([...patternProperties].filter(([, { schema }]) => schema().id !== additional().id))
}

/** Returns the schemas that are compared in their order. */
function laterOf(schema: Schema): readonly Later[] {
  // Beside types that have neither, these allow anything.
  const others = [
    ...(schema.types.has('object') ? [schema.additional] : []),
    ...(schema.types.has('array') ? [schema.items] : []),
  ]
  const { propertyNames, contains, not, conditions } = schema
  const ofConditions = conditions.flatMap((condition) =>
    [condition.if, condition.then, condition.else].filter((each) => each !== undefined),
  )
  return [
    ...others,
    ...propertyNames,
    ...contains.map((each) => each.schema),
    ...not,
    ...ofConditions,
    ...schema.unevaluatedProperties,
    ...schema.unevaluatedItems,
  ]
}

/** Returns what a schema states itself, without where. */
function listFacts(schema: Schema, ignoresNull: boolean) {
  const values = [...schema.values].map(([type, list]) => [type, list.map(toSortedJson).sort()])
  return {
    types: [...schema.types].filter((type) => !ignoresNull || type !== 'null').sort(),
    values: values.sort(),
    isExtensible: schema.isExtensible && schema.values.size > 0,
    bounds: [...schema.bounds].map(([name, { value }]) => [name, value]).sort(),
    limits: [...schema.limits].map(([name, facts]) => [name, valuesOf(facts)]).sort(),
    uniqueItems: schema.uniqueItems !== undefined,
    required: [...schema.required.keys()].sort(),
    properties: [...propertiesOf(schema).keys()].sort(),
    patterns: [...patternsOf(schema).keys()].sort(),
    dependentRequired: [...schema.dependentRequired]
      .map(([name, { value }]) => [name, value])
      .sort(),
    dependentSchemas: [...schema.dependentSchemas.keys()].sort(),
    contains: schema.contains.map(({ minimum, maximum }) => [minimum, maximum]),
    not: schema.not.length,
    conditions: schema.conditions.map(({ then, else: other }) => [
      then === undefined,
      other === undefined,
    ]),
    discriminators: schema.discriminators.map(listDiscriminator),
    default: schema.default?.value,
    flags: [schema.readOnly, schema.writeOnly, schema.deprecated].map((at) => at !== undefined),
    sunset: schema.sunset?.value,
    others: [...schema.others].map(([name, facts]) => [name, valuesOf(facts)]).sort(),
  }
}

function listDiscriminator({ propertyName, mapping }: Discriminator) {
  return [propertyName, [...mapping].map(([value, target]) => [value, target.split('#')[1]]).sort()]
}

function valuesOf(facts: readonly Fact<unknown>[]): readonly unknown[] {
  return facts.map(({ value }) => toSortedJson(value)).sort()
}

/** Returns whether alternatives have the same schemas, in any order. */
function sameAlternatives(
  base: readonly Alternatives[],
  current: readonly Alternatives[],
  assumed: Assumed,
): boolean {
  if (base.length !== current.length) return false
  return base.every(({ kind, branches }, index) => {
    const other = current[index]
    if (other === undefined || other.kind() !== kind()) return false
    if (other.branches.length !== branches.length) return false
    const left = [...other.branches]
    return branches.every((branch) => {
      const found = left.findIndex((each) => isSameBranch(branch, each, assumed))
      left.splice(found, found < 0 ? 0 : 1)
      return found >= 0
    })
  })
}

function isSameBranch(branch: Later, other: Later, assumed: Assumed): boolean {
  // What is assumed for schemas that differ must not be kept.
  const attempt = new Set(assumed)
  if (!areSame(branch(), other(), attempt, true)) return false
  for (const key of attempt) assumed.add(key)
  return true
}
