import { isDeepStrictEqual } from 'node:util'
import { toSortedJson } from '../../server/description/json.ts'
import type { Fact } from '../../server/description/location.ts'
import {
  type Alternatives,
  type Condition,
  type Contains,
  type Discriminator,
  isNever,
  type Later,
  type Member,
  type Schema,
} from './schema/schema.ts'

/** Two schemas, and whether `null` is looked at elsewhere. */
interface Compared {
  readonly key: string
  readonly base: Schema
  readonly current: Schema
  readonly ignoresNull: boolean
}

/** Compares schemas; pairs are taken for the same while what they lead to is compared. */
class Comparison {
  readonly #assumed = new Set<string>()
  /** The assumed pairs in their order, to take back what was assumed for schemas that differ. */
  readonly #journal: Compared[] = []
  #depth = 0

  areSame(base: Schema, current: Schema, ignoresNull = false): boolean {
    const earlierResult = findResult(base, current, ignoresNull)
    if (earlierResult !== undefined) {
      return earlierResult
    }
    const key = `${base.id} ${current.id} ${ignoresNull}`
    if (this.#assumed.has(key)) {
      return true
    }

    const start = this.#journal.length
    this.#assumed.add(key)
    this.#journal.push({ key, base, current, ignoresNull })
    this.#depth += 1
    const isSame = this.#haveSameContent(base, current, ignoresNull)
    this.#depth -= 1

    if (isSame && this.#depth > 0) {
      return true
    }
    // Other pairs were assumed to be the same: schemas that differ even so differ in any case.
    if (!isSame) {
      keepResult({ key, base, current, ignoresNull }, false)
    }
    for (const assumedPair of this.#journal.splice(start)) {
      this.#assumed.delete(assumedPair.key)
      if (isSame) {
        keepResult(assumedPair, true)
      }
    }
    return isSame
  }

  haveSameBranches(base: Alternatives, current: Alternatives): boolean {
    if (base.kind() !== current.kind()) {
      return false
    }
    return this.#inAnyOrder(base.branches, current.branches, (one, other) =>
      this.areSame(one(), other(), true),
    )
  }

  isSameCondition(base: Condition, current: Condition): boolean {
    const isSame = (one: Later | undefined, other: Later | undefined) =>
      one === undefined || other === undefined ? one === other : this.areSame(one(), other())
    return (
      isSame(base.if, current.if) &&
      isSame(base.then, current.then) &&
      isSame(base.else, current.else)
    )
  }

  isSameContains(base: Contains, current: Contains): boolean {
    const isSameCount = base.minimum === current.minimum && base.maximum === current.maximum
    return isSameCount && this.areSame(base.schema(), current.schema())
  }

  #haveSameContent(base: Schema, current: Schema, ignoresNull: boolean): boolean {
    const [before, after] = [base, current].map((schema) => listFacts(schema, ignoresNull))
    if (!isDeepStrictEqual(before, after)) {
      return false
    }
    const same = (one: Later, other: Later) => this.areSame(one(), other())
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
      sameAll(othersOf(base), othersOf(current)) &&
      this.#haveSameLists(base, current)
    )
  }

  /** Returns whether what applies in a place of its own is the same, in any order. */
  #haveSameLists(base: Schema, current: Schema): boolean {
    const same = (one: Later, other: Later) => this.areSame(one(), other())
    const keys = ['propertyNames', 'not', 'unevaluatedProperties', 'unevaluatedItems'] as const
    return (
      keys.every((key) => this.#inAnyOrder(base[key], current[key], same)) &&
      this.#inAnyOrder(base.contains, current.contains, (one, other) =>
        this.isSameContains(one, other),
      ) &&
      this.#inAnyOrder(base.conditions, current.conditions, (one, other) =>
        this.isSameCondition(one, other),
      ) &&
      this.#inAnyOrder(base.alternatives, current.alternatives, (one, other) =>
        this.haveSameBranches(one, other),
      )
    )
  }

  #inAnyOrder<Item>(
    base: readonly Item[],
    current: readonly Item[],
    isSame: (one: Item, other: Item) => boolean,
  ): boolean {
    if (base.length !== current.length) {
      return false
    }
    const left = [...current]
    return base.every((one) => {
      const index = left.findIndex((other) => isSame(one, other))
      if (index < 0) {
        return false
      }
      left.splice(index, 1)
      return true
    })
  }
}

type Results = WeakMap<Schema, WeakMap<Schema, boolean>>

const results: Results = new WeakMap()
const resultsBesideNull: Results = new WeakMap()

function findResult(base: Schema, current: Schema, ignoresNull: boolean): boolean | undefined {
  return resultsFor(ignoresNull).get(base)?.get(current)
}

function keepResult({ base, current, ignoresNull }: Compared, isSame: boolean): void {
  const resultsOfBase = resultsFor(ignoresNull).getOrInsertComputed(base, () => new WeakMap())
  resultsOfBase.set(current, isSame)
}

function resultsFor(ignoresNull: boolean): Results {
  return ignoresNull ? resultsBesideNull : results
}

/**
 * Returns whether two schemas mean the same in every direction, texts and examples aside. It shares no
 * code with the comparison that finds changes, so that each can be held against the other.
 */
export function meanTheSame(base: Schema, current: Schema): boolean {
  return new Comparison().areSame(base, current)
}

/** Returns whether two groups have the same alternatives, in any order. */
export function haveSameBranches(base: Alternatives, current: Alternatives): boolean {
  return new Comparison().haveSameBranches(base, current)
}

export function isSameCondition(base: Condition, current: Condition): boolean {
  return new Comparison().isSameCondition(base, current)
}

export function isSameContains(base: Contains, current: Contains): boolean {
  return new Comparison().isSameContains(base, current)
}

type Members = ReadonlyMap<string, Member>

/** Returns the properties but those that are ruled out like all that are not listed. */
function propertiesOf({ properties, additional }: Schema): Members {
  const isRuledOut = ({ schema }: Member) => isNever(schema()) && isNever(additional())
  return new Map([...properties].filter(([, member]) => !isRuledOut(member)))
}

const patterns = new WeakMap<Schema, Members>()

/** Returns the patterns of names whose schema differs from that of all other properties. */
export function patternsOf(schema: Schema): Members {
  const knownPatterns = patterns.get(schema)
  if (knownPatterns !== undefined) {
    return knownPatterns
  }

  const { patternProperties, additional } = schema
  // A schema that leads back to itself is compared with all of its patterns.
  patterns.set(schema, patternProperties)
  const entries = [...patternProperties].filter(([, member]) => {
    return !meanTheSame(member.schema(), additional())
  })
  const differingPatterns = new Map(entries)
  patterns.set(schema, differingPatterns)
  return differingPatterns
}

/** Returns the schemas of the properties and the items that are not listed. */
function othersOf(schema: Schema): readonly Later[] {
  // Beside types that have neither, these allow anything.
  return [
    ...(schema.types.has('object') ? [schema.additional] : []),
    ...(schema.types.has('array') ? [schema.items] : []),
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
    discriminators: schema.discriminators.map(listDiscriminator),
    default: schema.default?.value,
    flags: [schema.readOnly, schema.writeOnly, schema.deprecated].map((at) => at !== undefined),
    sunset: schema.sunset?.value,
    others: [...schema.others].map(([name, facts]) => [name, valuesOf(facts)]).sort(),
  }
}

function listDiscriminator({ propertyName, mapping, defaultTarget, others }: Discriminator) {
  const pointerOf = (target: string | undefined) => target?.split('#')[1]
  const targets = [...mapping].map(([value, target]) => [value, pointerOf(target)]).sort()
  return [propertyName, targets, pointerOf(defaultTarget), toSortedJson(others)]
}

function valuesOf(facts: readonly Fact<unknown>[]): readonly unknown[] {
  return facts.map(({ value }) => toSortedJson(value)).sort()
}
