import type {
  Description,
  Header,
  MediaType,
  Parameter,
  Response,
} from '../description/description.ts'
import type { JsonObject } from '../description/json.ts'
import { findMediaType, isJsonType } from '../description/media-types.ts'
import { valueSchemaOf } from '../description/parameter-form.ts'
import { describedOperation } from './contract.ts'
import { serviceHeaders } from './headers.ts'
import type { Operation } from './operation.ts'

/**
 * Returns the schema of a request: `path`, `query`, `headers`, `cookies` and a `body` of a media type that
 * the operation declares. Each of the first four is validated if it is there.
 */
export function requestSchema(
  description: Description,
  operation: Operation,
  mediaType: string | undefined,
): JsonObject {
  const { parameters, body } = describedOperation(description, operation)
  // Content of such a type is no value that a schema applies to.
  const isStreamed = mediaType !== undefined && !isRange(mediaType) && !isJsonType(mediaType)
  const inLocation = (location: string) =>
    objectSchema(parameters.filter((parameter) => parameter.location === location))
  return {
    type: 'object',
    properties: {
      path: inLocation('path'),
      query: inLocation('query'),
      headers: inLocation('header'),
      cookies: inLocation('cookie'),
      body: isStreamed ? true : (contentSchema(body?.content ?? [], mediaType ?? '') ?? true),
    },
    required: body?.isRequired === true ? ['body'] : [],
  }
}

/** Returns the schema of the `headers`, the `mediaType` and the `body` of a response with a media type. */
export function responseSchema({ headers, content }: Response, mediaType: string): JsonObject {
  const { properties, required } = objectSchema(headers.map(withServiceName))
  const mediaTypes = content.map(({ name }) => name)
  const isDeclared = findMediaType(mediaTypes, mediaType) !== undefined
  const others = mediaTypes.length === 0 ? false : { enum: mediaTypes }
  const body = isJsonType(mediaType) ? contentSchema(content, mediaType) : undefined
  return {
    type: 'object',
    properties: {
      headers: { properties, required, additionalProperties: false },
      mediaType: isDeclared || others,
      body: body ?? true,
    },
    required: body === undefined ? [] : ['body'],
  }
}

function isRange(mediaType: string): boolean {
  return mediaType.includes('*')
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
  const found = parameters.find((each) => each.location === location && each.name === name)
  return { allOf: found === undefined ? [] : [schemaOf(found)] }
}

/** Returns the schema of the value of a parameter or a header. */
function schemaOf(member: Parameter | Header): unknown {
  return valueSchemaOf(member)?.value ?? {}
}

/** Returns the schema of content of a media type; undefined if it is not declared. */
function contentSchema(content: readonly MediaType[], mediaType: string): JsonObject | undefined {
  const declared = findContent(content, mediaType)
  return declared === undefined ? undefined : { allOf: [declared.schema?.value ?? {}] }
}

/** Returns the declared content that content of a media type belongs to. */
function findContent(content: readonly MediaType[], mediaType: string): MediaType | undefined {
  const names = content.map(({ name }) => name)
  const declared = findMediaType(names, mediaType)
  return content.find(({ name }) => name === declared)
}
