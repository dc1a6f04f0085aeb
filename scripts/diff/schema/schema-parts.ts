import type { Documents } from '../../../server/description/documents.ts'
import {
  isObject,
  type JsonObject,
  toList,
  toObject,
  toSortedJson,
} from '../../../server/description/json.ts'
import { type Located, type Location, toKey } from '../../../server/description/location.ts'
import { isJsonType } from '../../../server/description/media-types.ts'
import { toChild } from '../../../server/description/pointer.ts'
import type { ToCurrentForm } from './current-form.ts'
import { findMalformed } from './keyword-kinds.ts'
import type { JsonType } from './schema.ts'

/** Schemas of which a value matches one at least, or exactly one; one that allows `null` alone is not listed. */
export interface Group {
  readonly kind: 'anyOf' | 'oneOf'
  readonly at: Location
  readonly branches: readonly Located[]
  readonly hasNull: boolean
  /** Whether `null` is valid whatever the schemas say. */
  readonly isNullable: boolean
}

/** What `unevaluatedProperties` or `unevaluatedItems` means for what the parts beside it do not name. */
interface Closing {
  readonly kind: 'properties' | 'items'
  readonly schema: Located
  readonly beside: readonly Part[]
}

/** The types and values that alternatives allow together. */
export interface Union {
  readonly types: ReadonlySet<JsonType>
  readonly values: ReadonlyMap<JsonType, readonly unknown[]>
  readonly at: Location
}

/** One of the parts of a schema, all of which a value matches; it refers to no other part. */
export interface Part {
  readonly key: string
  readonly at: Location
  readonly keywords: JsonObject
  /** Whether `null` is valid, whatever the keywords say. */
  readonly allowsNull: boolean
  /** Where `null` is allowed, if that is what the part is about. */
  readonly nullAt?: Location
  readonly groups: readonly Group[]
  /** The types to which the keywords apply; undefined if to all. */
  readonly only?: ReadonlySet<JsonType>
  readonly closing?: Closing
  readonly union?: Union
  /** Whether `unevaluatedProperties` or `unevaluatedItems` depends on alternatives. */
  readonly isOpenEnded?: boolean
}

/** What is wrong with a schema that is a part of itself. */
export const circular = 'refers to itself'

/** Keywords whose schemas become parts of their own, or groups. */
const combining: readonly string[] = ['$ref', 'allOf', 'anyOf', 'oneOf']
/** Keywords whose schemas become parts of their own where the condition holds for all values, or for none. */
const conditional: readonly string[] = ['if', 'then', 'else']

/** Reads the parts of schemas: references are followed, and those of `allOf` stand beside each other. */
export class PartReader {
  readonly #documents: Documents
  readonly #toCurrent: ToCurrentForm

  constructor(documents: Documents, toCurrent: ToCurrentForm) {
    this.#documents = documents
    this.#toCurrent = toCurrent
  }

  /** Returns the parts of a schema; none if it allows any value. */
  read(written: Located, allowsNull = false, passed: readonly string[] = []): readonly Part[] {
    const key = toKey(written)
    if (written.value === undefined || written.value === true) {
      return []
    }
    if (written.value === false) {
      return [createUnion({ ...nothing, at: written }, allowsNull)]
    }
    if (!isObject(written.value)) {
      this.reject(written, 'is no schema, which is an object, true or false')
    }

    const { value, isNullable: isOwnNullable } = this.#toCurrent(written.value)
    const node = { ...written, value }
    const malformed = findMalformed(value)
    if (malformed !== undefined) {
      this.reject(child(node, malformed.keyword), malformed.reason)
    }
    if (passed.includes(key)) {
      this.#documents.reject(node, circular)
    }
    const within = [...passed, key]
    const isNullable = allowsNull || isOwnNullable

    const target = this.#documents.next(node)
    const ownParts = this.#readOwn(node, value, isNullable)
    const combinedParts = [
      ...(target === undefined ? [] : this.read(target, isNullable, within)),
      ...this.#entries(node, 'allOf').flatMap((part) => this.read(part, isNullable, within)),
      ...this.#readContent(node, isNullable, within),
      ...this.#readSingles(node, isNullable, within),
      ...this.#readCertain(node, isNullable, within),
    ]
    const nullable =
      isOwnNullable && combinedParts.length > 0 ? [createNullable(child(node, 'nullable'))] : []
    return this.#close(node, value, [...ownParts, ...combinedParts, ...nullable])
  }

  /** Throws that a description cannot be compared, and why. */
  reject(at: Location, reason: string): never {
    this.#documents.reject(at, reason)
  }

  #entries({ file, pointer, value }: Located, keyword: string): readonly Located[] {
    const list = toObject(value)[keyword]
    const at = toChild(pointer, keyword)
    if (list !== undefined && !Array.isArray(list)) {
      this.reject({ file, pointer: at }, 'is no list')
    }
    return toList(list).map((entry, index) => ({
      file,
      pointer: toChild(at, `${index}`),
      value: entry,
    }))
  }

  /** Returns the part with the keywords of a schema itself; none if it has no keywords. */
  #readOwn(node: Located, value: JsonObject, allowsNull: boolean) {
    const isCertain = certainResult(value) !== undefined
    const readApart = isCertain ? [...combining, ...conditional] : combining
    const entries = Object.entries(value).filter(([keyword]) => !readApart.includes(keyword))
    const stated = Object.fromEntries(entries)
    const keywords = contentSchemaOf(value) === undefined ? stated : withoutContent(stated)
    const groups = this.#readGroups(node, allowsNull).filter(({ branches }) => branches.length > 1)
    if (Object.keys(keywords).length === 0 && groups.length === 0) {
      return []
    }
    const key = `${toKey(node)}${allowsNull ? '?' : ''}`
    return [{ key, at: node, keywords, allowsNull, groups }]
  }

  #readGroups(node: Located, isNullable: boolean): readonly Group[] {
    return (['anyOf', 'oneOf'] as const).flatMap((kind) => {
      const entries = this.#entries(node, kind)
      if (entries.length === 0) {
        return []
      }
      const possible = this.#listAlternatives(node, kind, entries)
      // One that allows any value leaves no limit.
      if (kind === 'anyOf' && possible.some(({ target }) => isAnything(target.value))) {
        return []
      }
      const branches = possible.filter(({ target }) => !isNull(target.value))
      const hasNull = branches.length < possible.length
      const at = child(node, kind)
      return [{ kind, at, branches: branches.map(({ entry }) => entry), hasNull, isNullable }]
    })
  }

  /** Returns the alternatives but those that have no effect, with what they refer to. */
  #listAlternatives(node: Located, kind: 'anyOf' | 'oneOf', entries: readonly Located[]) {
    const isDiscriminated = 'discriminator' in toObject(node.value)
    const isFlat = kind === 'oneOf' || isDiscriminated
    const listed = isFlat ? entries : this.#flatten(entries, [toKey(node)])
    const possible = listed
      .map((entry) => ({ entry, target: this.#resolve(entry) }))
      .filter(({ target }) => target.value !== false)
    if (isFlat) {
      return possible
    }
    const byValue = new Map(possible.toReversed().map((each) => [toValueKey(each.target), each]))
    return possible.filter((each) => byValue.get(toValueKey(each.target)) === each)
  }

  /** Returns alternatives with those in place that are nothing but alternatives themselves. */
  #flatten(entries: readonly Located[], passed: readonly string[]): readonly Located[] {
    return entries.flatMap((entry) => {
      const target = this.#resolve(entry)
      const key = toKey(target)
      const keys = Object.keys(toObject(target.value))
      const isNested = keys.length === 1 && keys[0] === 'anyOf' && !passed.includes(key)
      return isNested ? this.#flatten(this.#entries(target, 'anyOf'), [...passed, key]) : [entry]
    })
  }

  /** Returns a schema in the form of OpenAPI 3.1, unless that would be an alternative of null. */
  inCurrentForm(written: Located): Located {
    if (!isObject(written.value)) {
      return written
    }
    const { value, isNullable } = this.#toCurrent(written.value)
    return isNullable ? written : { ...written, value }
  }

  /** Returns what an alternative refers to, as far as nothing stands beside its references. */
  #resolve(written: Located): Located {
    const node = this.inCurrentForm(written)
    if (Object.keys(toObject(node.value)).length !== 1) {
      return node
    }
    const target = this.#documents.next(node)
    return target === undefined ? node : this.#resolve(target)
  }

  /** Returns the parts of the schema of JSON in a text, which the text is compared as. */
  #readContent(node: Located, isNullable: boolean, within: readonly string[]): readonly Part[] {
    const value = contentSchemaOf(node.value)
    return this.read({ ...child(node, 'contentSchema'), value }, isNullable, within)
  }

  /** Returns the parts of alternatives of which there is one, beside `null`. */
  #readSingles(node: Located, isNullable: boolean, within: readonly string[]): readonly Part[] {
    return this.#readGroups(node, isNullable).flatMap(({ branches, hasNull, at }) => {
      const [only, ...more] = branches
      if (only === undefined) {
        return [createUnion({ ...nothing, at }, isNullable || hasNull)]
      }
      if (more.length > 0) {
        return []
      }
      const parts = this.read(only, isNullable || hasNull, within)
      return hasNull ? [...parts, createNullable(at)] : parts
    })
  }

  /** Returns the parts of what follows from an `if` that always holds, or never does. */
  #readCertain(node: Located, isNullable: boolean, within: readonly string[]): readonly Part[] {
    const result = certainResult(node.value)
    const value = result && toObject(node.value)[result]
    if (result === undefined || value === undefined) {
      return []
    }
    return this.read({ ...child(node, result), value }, isNullable, within)
  }

  /** Adds what `unevaluatedProperties` and `unevaluatedItems` of a schema mean for all of its parts. */
  #close({ file, pointer }: Located, value: JsonObject, parts: readonly Part[]): readonly Part[] {
    let closed = parts
    for (const kind of ['properties', 'items'] as const) {
      const { keyword, evaluating } = closings[kind]
      if (!(keyword in value)) {
        continue
      }
      const at = toChild(pointer, keyword)
      const isEvaluated = parts.some(
        (part) => evaluating in part.keywords || part.closing?.kind === kind,
      )
      if (isEvaluated) {
        continue
      }
      if (parts.some((part) => isDynamic(part, kind))) {
        closed = closed.map((part) =>
          part.at.pointer === pointer ? { ...part, isOpenEnded: true } : part,
        )
        continue
      }
      const schema = { file, pointer: at, value: value[keyword] }
      const key = `${file}${at}`
      const closing = { kind, schema, beside: parts }
      closed = [...closed, { key, at: schema, keywords: {}, allowsNull: true, groups: [], closing }]
    }
    return closed
  }
}

const closings = {
  properties: { keyword: 'unevaluatedProperties', evaluating: 'additionalProperties' },
  items: { keyword: 'unevaluatedItems', evaluating: 'items' },
} as const

/** Returns whether the value decides what a part evaluates. */
function isDynamic({ groups, keywords }: Part, kind: 'properties' | 'items'): boolean {
  const dynamicKeywords = ['if', 'dependentSchemas', '$dynamicRef']
  if (kind === 'items') {
    dynamicKeywords.push('contains')
  }
  return groups.length > 0 || dynamicKeywords.some((keyword) => keyword in keywords)
}

/** Returns a part that limits types and values. */
export function createUnion({ types: stated, values, at }: Union, allowsNull = false): Part {
  const types = allowsNull ? new Set([...stated, 'null' as const]) : stated
  const key = `${toKey(at)}=${[...types].join()}:${JSON.stringify([...values])}`
  return { key, at, keywords: {}, allowsNull, groups: [], union: { types, values, at } }
}

/** Returns a part that says nothing but where `null` is allowed. */
function createNullable(at: Location): Part {
  return { key: `${toKey(at)}?`, at, keywords: {}, allowsNull: true, groups: [], nullAt: at }
}

function child({ file, pointer }: Location, key: string): Location {
  return { file, pointer: toChild(pointer, key) }
}

const nothing: Omit<Union, 'at'> = { types: new Set(), values: new Map() }

/** Returns which keyword applies to all values, as the `if` beside it does to all or to none. */
function certainResult(schema: unknown): 'then' | 'else' | undefined {
  const condition = toObject(schema)['if']
  if (isAnything(condition)) {
    return 'then'
  }
  return condition === false ? 'else' : undefined
}

/** Returns the schema of the JSON that a text holds, such as the data of an event. */
function contentSchemaOf(schema: unknown): unknown {
  const { contentSchema, contentMediaType, contentEncoding } = toObject(schema)
  const isJson = contentMediaType === undefined || isJsonType(String(contentMediaType))
  return isJson && contentEncoding === undefined ? contentSchema : undefined
}

/** Returns the keywords of a text without those that say that it holds JSON. */
function withoutContent(keywords: JsonObject): JsonObject {
  const { type: _, contentSchema: __, contentMediaType: ___, ...otherKeywords } = keywords
  return otherKeywords
}

/** Returns whether a schema allows any value. */
function isAnything(value: unknown): boolean {
  return value === true || (isObject(value) && Object.keys(value).length === 0)
}

function toValueKey({ file, value }: Located): string {
  return `${file} ${toSortedJson(value)}`
}

/** Returns whether a schema allows `null` alone. */
export function isNull(value: unknown): boolean {
  const { type, enum: values, const: constant } = toObject(value)
  if (constant === null || (Array.isArray(values) && values.length === 1 && values[0] === null)) {
    return true
  }
  return type === 'null' || (Array.isArray(type) && type.length === 1 && type[0] === 'null')
}
