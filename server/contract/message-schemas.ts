import { type ContentKind, kindOf } from '../description/content-kind.ts'
import type {
  Description,
  Header,
  MediaType,
  Parameter,
  Response,
} from '../description/description.ts'
import { formFieldsOf } from '../description/form-fields.ts'
import { writeFormSchema } from '../description/form-schema.ts'
import { type JsonObject, toObject } from '../description/json.ts'
import { findMediaType, isXmlType } from '../description/media-types.ts'
import { valueSchemaOf } from '../description/parameter-form.ts'
import { findKeyword, type References } from '../description/schemas.ts'
import { describedOperation } from './contract.ts'
import { serviceHeaders } from './headers.ts'
import type { Operation } from './operation.ts'

/**
 * Returns the schema of a request: `path`, `query`, `headers`, `cookies` and a `body` of a media type, as the
 * operation declares it; any body is valid without one. Each of the first four is validated if it is there.
 */
export function requestSchema(
  description: Description,
  operation: Operation,
  mediaType = '',
): JsonObject {
  const { parameters, body } = describedOperation(description, operation)
  const isJsonRange = operation.requestBody?.jsonRanges?.includes(mediaType) === true
  const kind = isJsonRange ? 'json' : kindOf(mediaType)
  const inLocation = (location: string) =>
    objectSchema(parameters.filter((parameter) => parameter.location === location))
  return {
    type: 'object',
    properties: {
      path: inLocation('path'),
      query: inLocation('query'),
      headers: inLocation('header'),
      cookies: inLocation('cookie'),
      body: bodySchema(description, findContent(body?.content ?? [], mediaType), kind),
    },
    required: body?.isRequired === true ? ['body'] : [],
  }
}

/**
 * Returns the schema of the `headers`, the `mediaType` and the `body` of a response, whose content is sent in some way.
 * Bytes and streams have no schema of the body.
 */
export function responseSchema(
  { headers, content }: Response,
  media: MediaType | undefined,
  kind: ContentKind,
  references: References,
): JsonObject {
  const { properties, required } = objectSchema(headers.map(withServiceName))
  const mediaTypes = content.map(({ name }) => name)
  const schemaOfTypes = mediaTypes.length === 0 ? false : { enum: mediaTypes }
  const isJson = kind === 'json'
  const hasValue = isJson || (kind === 'text' && isText(media, references))
  const body = hasValue && media !== undefined ? toSchema(media) : undefined
  return {
    type: 'object',
    properties: {
      headers: { properties, required, additionalProperties: false },
      mediaType: media !== undefined || schemaOfTypes,
      body: body ?? true,
    },
    required: isJson && body !== undefined ? ['body'] : [],
  }
}

/** Returns whether the schema of a text describes a text: that of XML may describe its elements. */
function isText(media: MediaType | undefined, references: References): boolean {
  return findKeyword(media?.schema, 'type', references)?.value === 'string'
}

/** Returns the schema of a body as it is read: bytes, streams and XML have none. */
function bodySchema(
  { documents }: Description,
  media: MediaType | undefined,
  kind: ContentKind,
): JsonObject | true {
  if (media?.schema === undefined) {
    return true
  }
  if (kind === 'multipart') {
    return writeFormSchema(media, documents, withoutFile) ?? toSchema(media)
  }
  if (kind === 'text') {
    return isText(media, documents) && !isXmlType(media.name) ? toSchema(media) : true
  }
  return kind === 'json' || kind === 'form' ? toSchema(media) : true
}

function toSchema({ schema }: MediaType): JsonObject {
  return { allOf: [schema?.value ?? {}] }
}

/** Returns what a schema says of a file beside its bytes: how many there may be. */
function withoutFile(property: unknown, isList: boolean): JsonObject {
  if (!isList) {
    return {}
  }
  const { minItems, maxItems } = toObject(property)
  return {
    type: 'array',
    ...(minItems !== undefined && { minItems }),
    ...(maxItems !== undefined && { maxItems }),
  }
}

const serviceNames = new Map(serviceHeaders.map((name) => [name.toLowerCase(), name] as const))

/** Returns a header with the name that the service sends it under: names of header fields have no case. */
function withServiceName(header: Header): Header {
  return { ...header, name: serviceNames.get(header.name.toLowerCase()) ?? header.name }
}

/** Returns the schema of an object with these parameters or headers. */
function objectSchema(members: readonly (Parameter | Header)[]) {
  // In `allOf`, Ajv does not fill in a default before it finds that a parameter is missing.
  const properties = members.map((member) => [member.name, { allOf: [schemaOf(member)] }] as const)
  const required = members.filter(({ isRequired }) => isRequired)
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: required.map(({ name }) => name),
  }
}

/** Returns the schema of the value of a parameter. */
export function parameterSchema(
  description: Description,
  operation: Operation,
  { location, name }: Pick<Parameter, 'location' | 'name'>,
): JsonObject {
  const { parameters } = describedOperation(description, operation)
  const parameter = parameters.find((each) => each.location === location && each.name === name)
  return { allOf: parameter === undefined ? [] : [schemaOf(parameter)] }
}

/** Returns the schema of the value of a header of a response. */
export function headerSchema(headers: readonly Header[], name: string): JsonObject {
  return { allOf: headers.filter((header) => header.name === name).map(schemaOf) }
}

/** Returns the schema of a field of a form. */
export function fieldSchema(
  description: Description,
  operation: Operation,
  mediaType: string,
  name: string,
): JsonObject {
  const { body } = describedOperation(description, operation)
  const media = findContent(body?.content ?? [], mediaType)
  const fields = media === undefined ? [] : formFieldsOf(media, description.documents)
  return { allOf: fields.filter((field) => field.name === name).map(({ schema }) => schema.value) }
}

/** Returns the schema of the value of a parameter or a header. */
function schemaOf(member: Parameter | Header): unknown {
  return valueSchemaOf(member)?.value ?? {}
}

/** Returns the declared content that content of a media type belongs to. */
export function findContent(
  content: readonly MediaType[],
  mediaType: string,
): MediaType | undefined {
  const names = content.map(({ name }) => name)
  const declared = findMediaType(names, mediaType)
  return content.find(({ name }) => name === declared)
}
