import type { Description } from '../description/description.ts'
import type { Documents } from '../description/documents.ts'
import { childOf, childrenOf } from '../description/fields.ts'
import { isObject, toObject } from '../description/json.ts'
import type { Located } from '../description/location.ts'
import { findMediaType } from '../description/media-types.ts'
import { compilePattern } from '../description/pattern.ts'
import { toChild } from '../description/pointer.ts'
import { partsOf } from '../description/schemas.ts'
import { describedOperation } from './contract.ts'
import type { Detail } from './errors.ts'
import { isExact } from './i-json.ts'
import type { Operation } from './operation.ts'
import type { RequestValues } from './parameters.ts'
import { imprecise } from './text-value.ts'

/** The integers of a JSON text that may not have the same value in double precision, where they are. */
export class LargeIntegers {
  readonly #byHolder = new Map<unknown, Map<string, string>>()

  /** Adds the literal of a member of an object, or of an item of an array. */
  add(holder: unknown, key: string, literal: string): void {
    this.#byHolder.getOrInsertComputed(holder, () => new Map()).set(key, literal)
  }

  /** Returns the literal of a member of an object, or of an item of an array; undefined if it is no such integer. */
  find(holder: unknown, key: string): string | undefined {
    return this.#byHolder.get(holder)?.get(key)
  }
}

/** Formats of integers of 64 bits, with their smallest and their largest one. */
const ranges = new Map<unknown, readonly [smallest: bigint, largest: bigint]>([
  ['int64', [-(2n ** 63n), 2n ** 63n - 1n]],
  ['uint64', [0n, 2n ** 64n - 1n]],
])

/** Where the values of a body are, and the schemas that may apply to them. */
interface Place {
  readonly pointer: string
  readonly schemas: readonly Located[]
}

/** The exact texts of large integers of a body by their JSON Pointers, and those that no schema accepts. */
interface FoundIntegers {
  readonly exact: ReadonlyMap<string, string>
  readonly details: readonly Detail[]
}

/**
 * Returns the large integers of the valid body of a request, such as `/body/id`. Those whose schema has neither
 * of the formats `int64` and `uint64` must be exact in double precision.
 */
export function readLargeIntegers(
  description: Description,
  operation: Operation,
  { body, mediaType }: RequestValues,
  large: LargeIntegers,
): FoundIntegers {
  const { documents } = description
  const exact = new Map<string, string>()
  const details: Detail[] = []

  function readMember(literal: string, { pointer, schemas }: Place): void {
    const formats = schemas.flatMap((schema) => formatsOf(schema, documents))
    const isOfFormat = formats.some((format) => isInRange(literal, format))
    if (isOfFormat) {
      exact.set(pointer, literal)
    } else if (formats.length > 0 || !isExact(literal)) {
      details.push({ path: pointer, message: imprecise })
    }
  }

  function readHolder(holder: unknown, { pointer, schemas }: Place): void {
    if (!isObject(holder) && !Array.isArray(holder)) {
      return
    }
    for (const [key, member] of Object.entries(holder)) {
      const ofMember = schemas.flatMap((schema) => schemasOf(schema, key, holder, documents))
      const place = { pointer: toChild(pointer, key), schemas: ofMember }
      const literal = large.find(holder, key)
      if (literal === undefined) {
        readHolder(member, place)
      } else {
        readMember(literal, place)
      }
    }
  }

  const { body: described } = describedOperation(description, operation)
  const names = described?.content.map(({ name }) => name) ?? []
  const declared = findMediaType(names, mediaType ?? '')
  const schema = described?.content.find(({ name }) => name === declared)?.schema
  readHolder(body, { pointer: '/body', schemas: schema === undefined ? [] : [schema] })
  return { exact, details }
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
  const isArray = Array.isArray(holder)
  return allParts(schema, documents).flatMap((part) => {
    return isArray ? itemSchemas(part, key) : memberSchemas(part, key)
  })
}

function itemSchemas(part: Located, key: string): readonly Located[] {
  const listed = childrenOf(part, 'prefixItems').filter((item) => item.key === key)
  return listed.length > 0 ? listed : [childOf(part, 'items')]
}

function memberSchemas(part: Located, key: string): readonly Located[] {
  const named = childrenOf(part, 'properties').filter((property) => property.key === key)
  const matching = childrenOf(part, 'patternProperties').filter((pattern) => {
    return compilePattern(pattern.key).test(key)
  })
  const own = [...named, ...matching]
  return own.length > 0 ? own : [childOf(part, 'additionalProperties')]
}

/** Returns the parts of a schema, and those of the forms that a value may have. */
function allParts(schema: Located, documents: Documents): readonly Located[] {
  const found = new Map<unknown, Located>()
  const collect = (node: Located): void => {
    for (const part of partsOf(node, documents)) {
      if (found.has(part.value) || !isObject(part.value)) {
        continue
      }
      found.set(part.value, part)
      const forms = ['anyOf', 'oneOf'].flatMap((keyword) => childrenOf(part, keyword))
      const conditional = ['then', 'else'].map((keyword) => childOf(part, keyword))
      for (const form of [...forms, ...conditional]) {
        collect(form)
      }
    }
  }
  collect(schema)
  return [...found.values()]
}
