import { kindOf } from './content-kind.ts'
import type { MediaType } from './description.ts'
import { childOf, childrenOf } from './fields.ts'
import { isObject, type JsonObject, toList, toObject } from './json.ts'
import type { Located } from './location.ts'
import { isJsonType } from './media-types.ts'
import { findKeyword, partsOf, type References } from './schemas.ts'

/** What the items of a stream are, as its handler returns them and its client gets them. */
export interface StreamItems {
  /** Undefined for any item. */
  readonly schema: Located | undefined
  /** Of server-sent events: whether an item is a whole event, with `event`, `id` and `retry`, or the data of one. */
  readonly isWholeEvent: boolean
  /** Whether the data of an event is JSON; it is text otherwise. */
  readonly isJsonData: boolean
  /** Whether the data of some events is text, as that of an event `[DONE]` may be beside others of JSON. */
  readonly hasTextData: boolean
}

/** The members of a server-sent event (OpenAPI 3.2, 4.14.4). */
const eventMembers: ReadonlySet<string> = new Set(['data', 'event', 'id', 'retry'])

/**
 * Returns what the items of a stream are; undefined for content that is no stream. The schema is that of
 * `itemSchema`, of the extension `x-item-schema` before OpenAPI 3.2, or of the items of a `schema` that is a list.
 */
export function streamItemsOf(media: MediaType, references: References): StreamItems | undefined {
  const kind = kindOf(media.name)
  if (kind !== 'events' && kind !== 'lines') {
    return undefined
  }

  const schema = media.itemSchema ?? itemsOf(media.schema, references)
  if (kind === 'lines') {
    return { schema, isWholeEvent: false, isJsonData: true, hasTextData: false }
  }
  if (schema === undefined) {
    return { schema, isWholeEvent: true, isJsonData: false, hasTextData: true }
  }
  if (!isEvent(schema, references)) {
    return { schema, isWholeEvent: false, isJsonData: true, hasTextData: false }
  }
  const isJson = dataMembersOf(schema, references).map((each) => isJsonMember(each, references))
  const isJsonData = isJson.includes(true)
  return { schema, isWholeEvent: true, isJsonData, hasTextData: isJson.includes(false) }
}

/** Returns the schema of the items that a schema of whole content describes; undefined if it describes a text. */
function itemsOf(schema: Located | undefined, references: References): Located | undefined {
  const items = findKeyword(schema, 'items', references)
  if (schema === undefined || items !== undefined) {
    return items
  }
  const type = findKeyword(schema, 'type', references)?.value
  return type === 'string' || type === 'array' ? undefined : schema
}

/** Returns whether a schema describes events: all its properties are members of one. */
function isEvent(schema: Located, references: References): boolean {
  const names = alternativesOf(schema, references)
    .flatMap((each) => partsOf(each, references))
    .flatMap((part) => childrenOf(part, 'properties'))
    .map(({ key }) => key)
  return names.length > 0 && names.every((name) => eventMembers.has(name))
}

/** Returns the schemas that the member `data` has in the alternatives of an event. */
function dataMembersOf(schema: Located, references: References): readonly Located[] {
  return alternativesOf(schema, references)
    .flatMap((each) => partsOf(each, references))
    .map((part) => childOf(childOf(part, 'properties'), 'data'))
    .filter(({ value }) => value !== undefined)
}

/** Returns whether the member `data` of an event is JSON: by its `contentMediaType`, or because it is no text. */
function isJsonMember(data: Located, references: References): boolean {
  const mediaType = findKeyword(data, 'contentMediaType', references)?.value
  if (mediaType !== undefined) {
    return isJsonType(String(mediaType))
  }
  const types = [findKeyword(data, 'type', references)?.value ?? 'string'].flat()
  const hasContent = findKeyword(data, 'contentSchema', references) !== undefined
  return hasContent || !types.includes('string')
}

/** Returns the alternatives of a schema, through `oneOf` and `anyOf`; itself if it has none. */
function alternativesOf(schema: Located, references: References): readonly Located[] {
  const parts = partsOf(schema, references)
  const alternatives = parts.flatMap((part) => [
    ...childrenOf(part, 'oneOf'),
    ...childrenOf(part, 'anyOf'),
  ])
  return [...parts.slice(0, 1), ...alternatives.flatMap((each) => alternativesOf(each, references))]
}

/**
 * Returns the JSON Schema of an item as a handler returns it. The data of a whole event is described by its
 * `contentSchema` where it is JSON.
 */
export function itemSchemaOf(
  { schema, isWholeEvent, isJsonData }: StreamItems,
  references: References,
): unknown {
  if (schema === undefined) {
    return isWholeEvent ? anyEvent : true
  }
  return isWholeEvent && isJsonData ? withContentSchemas(schema, references, []) : schema.value
}

const text = { type: 'string' }

/** The schema of an event of which nothing is described. */
const anyEvent = {
  type: 'object',
  properties: { data: text, event: text, id: text, retry: { type: 'integer', minimum: 0 } },
  required: ['data'],
  additionalProperties: false,
}

/** Returns a schema of events whose data has its `contentSchema`; `open` are the schemas that it is part of. */
function withContentSchemas(
  node: Located,
  references: References,
  open: readonly unknown[],
): unknown {
  if (!isObject(node.value) || open.includes(node.value)) {
    return node.value
  }

  const within = [...open, node.value]
  const edit = (each: Located) => withContentSchemas(each, references, within)
  const target = references.tryNext(node)
  if (target !== undefined) {
    const { $ref: _, ...beside } = node.value
    const inner = edit(target)
    return Object.keys(beside).length === 0 ? inner : { ...beside, allOf: [inner] }
  }

  const { value } = node
  const lists = ['allOf', 'oneOf', 'anyOf'].filter((key) => key in value)
  const edited = lists.map((key) => [key, childrenOf(node, key).map(edit)] as const)
  // The mapping of a discriminator leads to schemas that are written in place here.
  const { discriminator: _, ...otherKeywords } = value
  return { ...otherKeywords, ...Object.fromEntries(edited), ...dataOf(value) }
}

function dataOf({ properties }: JsonObject): JsonObject {
  const { data } = toObject(properties)
  const { contentSchema, ...otherKeywords } = toObject(data)
  if (contentSchema === undefined) {
    return {}
  }
  const { contentMediaType: _media, type: _type, ...texts } = otherKeywords
  const described = { ...texts, allOf: [...toList(texts['allOf']), contentSchema] }
  return { properties: { ...toObject(properties), data: described } }
}
