import type { Description } from '../description/description.ts'
import type { Documents } from '../description/documents.ts'
import { childOf, childrenOf } from '../description/fields.ts'
import { isObject, toObject } from '../description/json.ts'
import type { Located } from '../description/location.ts'
import { findMediaType } from '../description/media-types.ts'
import { pointerKeys, toChild } from '../description/pointer.ts'
import { partsOf } from '../description/schemas.ts'
import { describedOperation } from './contract.ts'
import type { Detail } from './errors.ts'
import { isExact } from './i-json.ts'
import { memberSchemas } from './member-schemas.ts'
import type { Operation } from './operation.ts'
import {
  locationNames,
  type ParameterLocation,
  pathOf,
  type ValueLocation,
} from './parameter-rows.ts'
import type { ParametersByLocation, RequestValues } from './parameters.ts'
import { imprecise } from './text-value.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * The integers of parameters or of a body that may not have the same value in double precision, where they are: those
 * of JSON by the object or the array that they are in, others as they were sent.
 */
export class LargeIntegers {
  readonly texts: LargeText[] = []
  readonly #byHolder = new Map<unknown, Map<string, string>>()

  get isEmpty(): boolean {
    return this.texts.length === 0 && !this.hasJson
  }

  /** Whether there are some in JSON. */
  get hasJson(): boolean {
    return this.#byHolder.size > 0
  }

  /** Adds the literal of a member of an object, or of an item of an array. */
  add(holder: unknown, key: string, literal: string): void {
    this.#byHolder.getOrInsertComputed(holder, () => new Map()).set(key, literal)
  }

  /** Returns the literal of a member of an object, or of an item of an array; undefined if it is no such integer. */
  find(holder: unknown, key: string): string | undefined {
    return this.#byHolder.get(holder)?.get(key)
  }
}

/** Adds the integers of the fields of a form to those of the JSON in it. */
export function addFields(large: LargeIntegers, body: Values): void {
  for (const { name, part, text } of large.texts) {
    const keys = [name, ...pointerKeys(part)]
    const last = keys.pop() ?? ''
    let holder: unknown = body
    for (const key of keys) {
      const members = Object.entries(toObject(holder))
      holder = members.find(([name]) => name === key)?.[1]
    }
    large.add(holder, last, text)
  }
}

/** Formats of integers of 64 bits, with their smallest and their largest one. */
const ranges = new Map<unknown, readonly [smallest: bigint, largest: bigint]>([
  ['int64', [-(2n ** 63n), 2n ** 63n - 1n]],
  ['uint64', [0n, 2n ** 64n - 1n]],
])

/** An integer that double precision may not hold, as a parameter or a field, or a part of one such as `/0`, has it. */
export interface LargeText {
  readonly location: ValueLocation
  readonly name: string
  readonly part: string
  /** Where it is, such as `/query/id`. */
  readonly path: string
  readonly text: string
}

/** Where the values of a request are, and the schemas that may apply to them. */
interface Place {
  readonly pointer: string
  readonly schemas: readonly Located[]
}

/** The exact texts of large integers of a request by their JSON Pointers, and those that no schema accepts. */
interface FoundIntegers {
  readonly exact: ReadonlyMap<string, string>
  readonly details: readonly Detail[]
}

/** Collects large integers. Those whose schema has neither of the formats must be exact in double precision. */
class Collector implements FoundIntegers {
  readonly exact = new Map<string, string>()
  readonly details: Detail[] = []
  readonly #documents: Documents

  constructor(documents: Documents) {
    this.#documents = documents
  }

  readLiteral(literal: string, { pointer, schemas }: Place): void {
    const formats = schemas.flatMap((schema) => formatsOf(schema, this.#documents))
    const isOfFormat = formats.some((format) => isInRange(literal, format))
    if (isOfFormat) {
      this.exact.set(pointer, literal)
    } else if (formats.length > 0 || !isExact(literal)) {
      this.details.push({ path: pointer, message: imprecise })
    }
  }

  readHolder(holder: unknown, place: Place, large: LargeIntegers): void {
    if (!isObject(holder) && !Array.isArray(holder)) {
      return
    }
    for (const [key, member] of Object.entries(holder)) {
      const ofMember = this.memberOf(place, key, holder)
      const literal = large.find(holder, key)
      if (literal === undefined) {
        this.readHolder(member, ofMember, large)
      } else {
        this.readLiteral(literal, ofMember)
      }
    }
  }

  /** Returns the place of a member of an object, or of an item of an array. */
  memberOf({ pointer, schemas }: Place, key: string, holder: object): Place {
    const ofMember = schemas.flatMap((schema) => schemasOf(schema, key, holder, this.#documents))
    return { pointer: toChild(pointer, key), schemas: ofMember }
  }
}

/** Returns the large integers of the valid body of a request, such as `/body/id`. */
export function readLargeIntegers(
  description: Description,
  operation: Operation,
  { body, mediaType }: RequestValues,
  large: LargeIntegers,
): FoundIntegers {
  const collector = new Collector(description.documents)
  const { body: described } = describedOperation(description, operation)
  const names = described?.content.map(({ name }) => name) ?? []
  const declared = findMediaType(names, mediaType ?? '')
  const schema = described?.content.find(({ name }) => name === declared)?.schema
  collector.readHolder(body, { pointer: '/body', schemas: toSchemas(schema) }, large)
  return collector
}

/** Returns the large integers of the parameters of a request, such as `/query/id`. */
export function readLargeParameters(
  description: Description,
  operation: Operation,
  values: ParametersByLocation<Values>,
  large: LargeIntegers,
): FoundIntegers {
  const collector = new Collector(description.documents)
  const { parameters } = describedOperation(description, operation)

  for (const { location, name, part, path, text } of large.texts) {
    const parameter = parameters.find((each) => each.location === location && each.name === name)
    let place: Place = { pointer: path, schemas: toSchemas(parameter?.schema) }
    let value = isLocation(location) ? values[locationNames[location]][name] : undefined
    for (const key of pointerKeys(part)) {
      const holder = typeof value === 'object' && value !== null ? value : {}
      place = collector.memberOf(place, key, holder)
      value = Object.entries(holder).find(([name]) => name === key)?.[1]
    }
    collector.readLiteral(text, { ...place, pointer: path })
  }

  for (const { location, name, content } of large.hasJson ? parameters : []) {
    if (isLocation(location)) {
      const place = { pointer: pathOf(location, name), schemas: toSchemas(content[0]?.schema) }
      collector.readHolder(values[locationNames[location]][name], place, large)
    }
  }
  return collector
}

function isLocation(name: string): name is ParameterLocation {
  return Object.hasOwn(locationNames, name)
}

function toSchemas(schema: Located | undefined): readonly Located[] {
  return schema === undefined ? [] : [schema]
}

function isInRange(literal: string, format: unknown): boolean {
  const [smallest = 0n, largest = 0n] = ranges.get(format) ?? []
  const value = BigInt(literal)
  return value >= smallest && value <= largest
}

/** Returns the formats of integers of 64 bits that a schema, or a part of it, has. */
function formatsOf(schema: Located, documents: Documents): readonly unknown[] {
  const formats = allParts(schema, documents).map(({ value }) => toObject(value)['format'])
  return formats.filter((format) => ranges.has(format))
}

/** Returns the schemas that parts of a schema have for a member of an object, or an item of an array. */
function schemasOf(
  schema: Located,
  key: string,
  holder: object,
  documents: Documents,
): readonly Located[] {
  return allParts(schema, documents).flatMap((part) => memberSchemas(part, key, holder))
}

/** Returns the parts of a schema, and those of the forms that a value may have. */
function allParts(schema: Located, documents: Documents): readonly Located[] {
  const partsByValue = new Map<unknown, Located>()
  const collect = (node: Located): void => {
    for (const part of partsOf(node, documents)) {
      if (partsByValue.has(part.value) || !isObject(part.value)) {
        continue
      }
      partsByValue.set(part.value, part)
      const forms = ['anyOf', 'oneOf'].flatMap((keyword) => childrenOf(part, keyword))
      const conditional = ['then', 'else'].map((keyword) => childOf(part, keyword))
      for (const form of [...forms, ...conditional]) {
        collect(form)
      }
    }
  }
  collect(schema)
  return [...partsByValue.values()]
}
