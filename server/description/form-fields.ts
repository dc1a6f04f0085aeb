import type { MediaType } from './description.ts'
import { childrenOf, type Entry } from './fields.ts'
import { toList, toObject, toText } from './json.ts'
import type { Located } from './location.ts'
import { isJsonType } from './media-types.ts'
import { partsOf, type References } from './schemas.ts'

/** A field of a form, or of `multipart/form-data`. */
export interface FormField {
  readonly name: string
  readonly schema: Located
  readonly isRequired: boolean
  /** Whether the field may be sent several times: its value is the list of what was sent. */
  readonly isList: boolean
  /** What a part of it holds: the bytes of a file, a JSON value, or a text. */
  readonly content: 'file' | 'json' | 'text'
  /** The media types that a part of it may have; any if there are none. */
  readonly mediaTypes: readonly string[]
  /** The largest file, in bytes. */
  readonly maxBytes: number | undefined
  /** How a list or an object is written, where the description says so. */
  readonly style: string | undefined
  readonly explode: boolean | undefined
}

/** Returns the fields of a form by the schema and the `encoding` of its media type (OpenAPI 3.1, 4.8.15). */
export function formFieldsOf(media: MediaType, references: References): readonly FormField[] {
  const { schema } = media
  if (schema === undefined) {
    return []
  }

  const forms = formsOf(schema, references)
  const required = new Set(
    partsOf(schema, references).flatMap(({ value }) => toList(toObject(value)['required'])),
  )
  const properties = new Map<string, Entry>()
  for (const property of forms.flatMap((form) => childrenOf(form, 'properties'))) {
    if (!properties.has(property.key)) {
      properties.set(property.key, property)
    }
  }
  return Array.from(properties.values(), (property) => {
    const encoding = toObject(toObject(media.encoding)[property.key])
    return { ...readField(property, encoding, references), isRequired: required.has(property.key) }
  })
}

/** Returns the parts of a schema, with those of its alternatives. */
function formsOf(schema: Located, references: References): readonly Located[] {
  const parts = partsOf(schema, references)
  const alternatives = parts.flatMap((part) => [
    ...childrenOf(part, 'anyOf'),
    ...childrenOf(part, 'oneOf'),
  ])
  return [...parts, ...alternatives.flatMap((each) => partsOf(each, references))]
}

function readField(
  property: Entry,
  encoding: Readonly<Record<string, unknown>>,
  references: References,
) {
  const list = listOf(property, references)
  const part = list ?? property
  const { contentType, style, explode } = encoding
  const mediaTypes = (toText(contentType) ?? '')
    .split(',')
    .map((type) => type.trim())
    .filter((type) => type !== '')
  const maxBytes = keywordOf(part, 'x-max-bytes', references)
  return {
    name: property.key,
    schema: property,
    isList: list !== undefined,
    content: contentOf(part, mediaTypes, references),
    mediaTypes,
    maxBytes: typeof maxBytes === 'number' ? maxBytes : undefined,
    style: toText(style),
    explode: typeof explode === 'boolean' ? explode : undefined,
  }
}

/** Returns the schema of the items of a list; undefined for other schemas. */
function listOf(property: Located, references: References): Located | undefined {
  const parts = partsOf(property, references)
  const isList = parts.some(({ value }) => toObject(value)['type'] === 'array')
  const [items] = parts.flatMap((part) => (childrenOf(part, 'items').length > 0 ? [part] : []))
  if (!isList || items === undefined) {
    return undefined
  }
  const { file, pointer, value } = items
  return { file, pointer: `${pointer}/items`, value: toObject(value)['items'] }
}

function keywordOf(schema: Located, keyword: string, references: References): unknown {
  return partsOf(schema, references)
    .map(({ value }) => toObject(value)[keyword])
    .find((value) => value !== undefined)
}

function contentOf(
  part: Located,
  mediaTypes: readonly string[],
  references: References,
): FormField['content'] {
  if (isFile(part, references)) {
    return 'file'
  }
  const [first] = mediaTypes
  if (first === undefined) {
    return isStructure(part, references) ? 'json' : 'text'
  }
  if (mediaTypes.every(isJsonType)) {
    return 'json'
  }
  return mediaTypes.every((type) => /^text\//i.test(type)) ? 'text' : 'file'
}

/** Returns whether a schema states that a value is bytes. Since OpenAPI 3.1, a schema without a type does. */
export function isFile(schema: Located, references: References): boolean {
  const keyword = (name: string) => keywordOf(schema, name, references)
  if (keyword('format') === 'binary') {
    return true
  }
  if (keyword('contentEncoding') !== undefined) {
    return false
  }
  const mediaType = keyword('contentMediaType')
  if (typeof mediaType === 'string') {
    return !isJsonType(mediaType) && !/^text\//i.test(mediaType)
  }
  const isAny = partsOf(schema, references).every(({ value }) => saysNothing(toObject(value)))
  return isAny
}

/** Keywords that say nothing about a value. */
const annotations = new Set(['$ref', 'allOf', 'title', 'description', 'examples', 'deprecated'])

function saysNothing(schema: object): boolean {
  const keywords = Object.keys(schema)
  return keywords.every((keyword) => annotations.has(keyword) || keyword.startsWith('x-'))
}

function isStructure(schema: Located, references: References): boolean {
  const types = [keywordOf(schema, 'type', references)].flat()
  return (
    types.includes('object') ||
    types.includes('array') ||
    keywordOf(schema, 'properties', references) !== undefined
  )
}
