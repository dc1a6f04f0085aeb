import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Document, Located } from './document.ts'
import { isList, isObject, type Json, type JsonObject, toList, toObject, toText } from './json.ts'

/** Which way a value goes: `readOnly` members are in no request, `writeOnly` ones in no response. */
export type Direction = 'request' | 'response'

/** Keywords whose value is a schema. */
const single = [
  ...['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
]
/** Keywords whose value is a list of schemas. */
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
/** Keywords whose value has schemas by name. */
const maps = ['properties', 'patternProperties', 'dependentSchemas', '$defs']
/** Keywords that only JSON Schema has, and annotations of OpenAPI that constrain nothing. */
const dropped = new Set([
  ...['$id', '$schema', '$anchor', '$comment', '$dynamicAnchor', 'discriminator', 'xml', 'example'],
  ...['externalDocs', 'nullable', 'deprecated', 'readOnly', 'writeOnly', 'title', 'description'],
  ...['default', 'examples', 'contentMediaType', 'contentEncoding', 'contentSchema'],
])

/** Returns the errors of a value by a schema of a description; none if it is valid. */
export function validate(
  document: Document,
  schema: Located,
  direction: Direction,
  value: unknown,
): readonly string[] {
  const check = compile(document, schema, direction)
  if (check(value)) {
    return []
  }
  return (check.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath || '/'} ${message}`,
  )
}

const compiled = new WeakMap<Document, Map<string, ValidateFunction>>()

function compile(document: Document, schema: Located, direction: Direction): ValidateFunction {
  const known = compiled.get(document) ?? new Map<string, ValidateFunction>()
  compiled.set(document, known)
  const name = `${direction} ${schema.file}#${schema.pointer}`
  const found = known.get(name)
  if (found !== undefined) {
    return found
  }

  // 19.99 is a multiple of 0.01, but not in the arithmetic of double precision.
  const options = { strict: false, allErrors: true, multipleOfPrecision: 6, logger: false } as const
  const ajv = new Ajv2020(options)
  addFormats.default(ajv)
  const check = ajv.compile(new Converter(document, direction).convertWhole(schema))
  known.set(name, check)
  return check
}

/** Makes one schema of JSON Schema 2020-12 of a schema with references to others. */
class Converter {
  readonly #document: Document
  readonly #direction: Direction
  readonly #isOld: boolean
  readonly #names = new Map<string, string>()
  readonly #definitions: Record<string, Json> = {}

  constructor(document: Document, direction: Direction) {
    this.#document = document
    this.#direction = direction
    this.#isOld = document.version === '3.0'
  }

  convertWhole(schema: Located): JsonObject {
    const reference = this.#define(schema)
    return { $ref: reference, $defs: this.#definitions }
  }

  /** Converts a schema once, and returns a reference to it. */
  #define(schema: Located): string {
    const place = `${schema.file}#${schema.pointer}`
    const known = this.#names.get(place)
    if (known !== undefined) {
      return known
    }
    const name = `s${this.#names.size}`
    const reference = `#/$defs/${name}`
    this.#names.set(place, reference)
    this.#definitions[name] = this.#convert(schema)
    return reference
  }

  #convert(schema: Located): Json {
    const { value } = schema
    if (!isObject(value)) {
      return typeof value === 'boolean' ? value : true
    }
    const target = value['$ref'] ?? value['$dynamicRef']
    if (typeof target !== 'string') {
      return this.#convertKeywords({ ...schema, value })
    }

    const found = this.#document.resolve(target, schema)
    const referred = found === undefined ? true : { $ref: this.#define(found) }
    if (this.#isOld) {
      return referred
    }
    const { $ref: _, $dynamicRef: __, ...others } = value
    return { allOf: [referred, this.#convertKeywords({ ...schema, value: others })] }
  }

  #convertKeywords(schema: Located<JsonObject>): Json {
    const converted: Record<string, Json> = {}
    for (const [key, value] of Object.entries(schema.value)) {
      if (!dropped.has(key) && !key.startsWith('x-')) {
        converted[key] = this.#convertKeyword(schema, key, value)
      }
    }
    this.#dropRequired(schema, converted)
    if (!this.#isOld) {
      return converted
    }

    convertLimits(converted)
    const isNullable = schema.value['nullable'] === true
    return isNullable ? { anyOf: [withoutNull(converted), { type: 'null' }] } : converted
  }

  #convertKeyword(schema: Located<JsonObject>, key: string, value: Json): Json {
    const convertAt = (...keys: readonly string[]) => {
      const part = this.#document.at(schema, key, ...keys)
      return part === undefined ? true : this.#convert(part)
    }
    if (single.includes(key) && typeof value === 'object') {
      return convertAt()
    }
    if (lists.includes(key) && isList(value)) {
      return value.map((_, index) => convertAt(String(index)))
    }
    if (maps.includes(key) && isObject(value)) {
      return Object.fromEntries(Object.keys(value).map((name) => [name, convertAt(name)]))
    }
    return value
  }

  /** Removes from `required` the members that do not go this way. */
  #dropRequired(schema: Located<JsonObject>, converted: Record<string, Json>): void {
    const flag = this.#direction === 'request' ? 'readOnly' : 'writeOnly'
    const required = toList(schema.value['required'])
    if (required.length === 0) {
      return
    }
    converted['required'] = required.filter((name) => {
      const property = this.#document.at(schema, 'properties', toText(name))
      return this.#document.follow(property).value[flag] !== true
    })
  }
}

/** Turns the limits of OpenAPI 3.0, `exclusiveMinimum: true`, into numbers. */
function convertLimits(schema: Record<string, Json>): void {
  for (const [exclusive, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const isExclusive = schema[exclusive]
    if (typeof isExclusive !== 'boolean') {
      continue
    }
    delete schema[exclusive]
    const value = schema[limit]
    if (isExclusive && value !== undefined) {
      delete schema[limit]
      schema[exclusive] = value
    }
  }
}

/** Returns a schema whose enum has no null, which is allowed beside it. */
function withoutNull(schema: Record<string, Json>): JsonObject {
  const values = schema['enum']
  return isList(values) ? { ...schema, enum: values.filter((value) => value !== null) } : schema
}

/** Returns the schema of a media type in a message, if the message declares one for it. */
export function findSchema(
  document: Document,
  message: Located<JsonObject>,
  mediaType: string,
): Located | undefined {
  return document.at(findMedia(document, message, mediaType), 'schema')
}

/** Returns the media type object that a message declares for a media type, itself before a range; an empty one if none. */
export function findMedia(
  document: Document,
  message: Located<JsonObject>,
  mediaType: string,
): Located<JsonObject> {
  const declared = Object.keys(toObject(message.value['content']))
  const fitting = declared.filter((range) => matchesType(range, mediaType))
  const key = fitting.find((range) => !range.includes('*')) ?? fitting[0]
  return document.follow(key === undefined ? undefined : document.at(message, 'content', key))
}

/** Returns whether a media type is in a range, such as `application/*`; parameters do not matter. */
export function matchesType(range: string, mediaType: string): boolean {
  const plain = (text: string) => text.split(';')[0]?.trim().toLowerCase() ?? ''
  const wanted = plain(range)
  const given = plain(mediaType)
  if (wanted === '*/*') {
    return true
  }
  return wanted.endsWith('/*') ? given.startsWith(wanted.slice(0, -1)) : wanted === given
}
