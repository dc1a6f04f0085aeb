import type { JsonObject } from '../../../server/description/json.ts'
import type { Fact, Location } from '../../../server/description/location.ts'

/** The types of JSON values; numbers are integers or fractions, so that `number` allows both. */
export const jsonTypes = [
  ...(['null', 'boolean', 'integer', 'fraction', 'string', 'array', 'object'] as const),
]
export type JsonType = (typeof jsonTypes)[number]

/** A lowest or highest number, or size. */
export interface Bound {
  readonly value: number
  readonly isExclusive: boolean
}

export const boundNames = [
  ...(['minimum', 'maximum', 'minLength', 'maxLength'] as const),
  ...(['minItems', 'maxItems', 'minProperties', 'maxProperties'] as const),
]
export type BoundName = (typeof boundNames)[number]

/** Keywords that may apply several times: a value matches each of them. */
export const limitNames = [
  ...(['pattern', 'format', 'multipleOf', 'contentEncoding', 'contentMediaType'] as const),
]
export type LimitName = (typeof limitNames)[number]

/** A schema that is read when it is needed, because it may lead back to the one that has it. */
export type Later = () => Schema

/** A property, or the properties whose names match a pattern. */
export interface Member {
  /** Where the object lists it. */
  readonly at: Location
  readonly schema: Later
}

/** Schemas of which a value matches one at least (`anyOf`), or exactly one (`oneOf`). */
export interface Alternatives {
  /** Schemas that exclude each other are `anyOf`, whatever the description says. */
  readonly kind: () => 'anyOf' | 'oneOf'
  /** The keyword that the description has. */
  readonly keyword: 'anyOf' | 'oneOf'
  readonly at: Location
  readonly branches: readonly Later[]
}

/** The items of which an array has some number. */
export interface Contains {
  readonly at: Location
  readonly schema: Later
  readonly minimum: number
  readonly maximum: number | undefined
}

export interface Condition {
  readonly at: Location
  readonly if: Later
  readonly then: Later | undefined
  readonly else: Later | undefined
}

export interface Discriminator {
  readonly at: Location
  readonly propertyName: string
  /** The schemas by value, as `file#pointer`; a value that is the name of its component is not listed. */
  readonly mapping: ReadonlyMap<string, string>
  /** The schema of all other values, as `file#pointer`. */
  readonly defaultTarget: string | undefined
  /** All other keys, extensions among them. */
  readonly others: JsonObject
}

/**
 * A schema in the form in which two can be compared: with references resolved, the parts of `allOf`
 * merged, and the versions of OpenAPI and the ways to write one thing made the same.
 */
export interface Schema {
  /** The same for what is written in the same places. */
  readonly id: string
  readonly at: Location
  /** None if no value is valid. */
  readonly types: ReadonlySet<JsonType>
  readonly typesAt: Location
  /** Where `null` is allowed, or the type is stated. */
  readonly nullAt: Location
  /** The allowed values of the types of which not all values are. */
  readonly values: ReadonlyMap<JsonType, readonly unknown[]>
  readonly valuesAt: Location
  /** Whether responses may contain other values in a later version (`x-extensible-enum`). */
  readonly isExtensible: boolean
  /** The types that these other values may have. */
  readonly extensibleTypes: ReadonlySet<JsonType>
  readonly bounds: ReadonlyMap<BoundName, Fact<Bound>>
  readonly limits: ReadonlyMap<LimitName, readonly Fact<string | number>[]>
  readonly uniqueItems: Location | undefined

  readonly required: ReadonlyMap<string, Location>
  readonly properties: ReadonlyMap<string, Member>
  readonly patternProperties: ReadonlyMap<string, Member>
  /** The schema of all other properties. */
  readonly additional: Later
  readonly propertyNames: readonly Later[]
  readonly dependentRequired: ReadonlyMap<string, Fact<readonly string[]>>
  readonly dependentSchemas: ReadonlyMap<string, Member>

  /** The schemas of the first items. */
  readonly positions: readonly Later[]
  /** The schema of all other items. */
  readonly items: Later
  readonly contains: readonly Contains[]

  readonly alternatives: readonly Alternatives[]
  readonly not: readonly Later[]
  readonly conditions: readonly Condition[]
  /** What is left of `unevaluatedProperties` and `unevaluatedItems` where alternatives decide what is evaluated. */
  readonly unevaluatedProperties: readonly Later[]
  readonly unevaluatedItems: readonly Later[]
  readonly discriminators: readonly Discriminator[]

  readonly default: Fact<unknown> | undefined
  readonly readOnly: Location | undefined
  readonly writeOnly: Location | undefined
  readonly deprecated: Location | undefined
  readonly sunset: Fact<string> | undefined

  readonly texts: ReadonlyMap<string, readonly Fact<unknown>[]>
  readonly examples: readonly Fact<unknown>[]
  /** Keywords that this form does not know, extensions among them. */
  readonly others: ReadonlyMap<string, readonly Fact<unknown>[]>
}

/** Returns whether no value is valid. */
export function isNever(schema: Schema): boolean {
  return schema.types.size === 0
}

/** Returns whether a schema limits nothing but the type and the values. */
export function isPlain(schema: Schema): boolean {
  const { alternatives, not, conditions, unevaluatedItems, unevaluatedProperties } = schema
  const lists = [alternatives, not, conditions, unevaluatedItems, unevaluatedProperties]
  return lists.every((list) => list.length === 0) && schema.discriminators.length === 0
}

/** Returns the allowed values of a type; undefined if all are. */
export function valuesOf(schema: Schema, type: JsonType): readonly unknown[] | undefined {
  return schema.types.has(type) ? schema.values.get(type) : []
}

/** Returns whether a schema has a list of values for each of its types. */
export function isListed(schema: Schema): boolean {
  return [...schema.types].every((type) => type === 'null' || schema.values.has(type))
}

/** Returns a set of types in the words of JSON Schema. */
export function nameTypes(types: ReadonlySet<JsonType>): readonly string[] {
  return jsonTypes.flatMap((type) => {
    if (!types.has(type)) {
      return []
    }
    if (type === 'integer' && types.has('fraction')) {
      return []
    }
    return [type === 'fraction' ? 'number' : type]
  })
}

/** Returns a function that calls another one once. */
export function later<Result>(create: () => Result): () => Result {
  let made: { readonly result: Result } | undefined
  return () => {
    made ??= { result: create() }
    return made.result
  }
}
