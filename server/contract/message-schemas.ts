import {
  type Description,
  type JsonObject,
  operationObject,
  type ResponseObject,
  type SchemaHolder,
} from './description.ts'
import type { Operation } from './operation.ts'

/**
 * Returns the schema of a request: `path`, `query`, `headers`, `cookies` and `body`. Each of the first
 * four is validated if it is there.
 */
export function requestSchema(description: Description, operation: Operation): JsonObject {
  const { parameters, requestBody } = operationObject(description, operation)
  const inPlace = (place: string) =>
    objectSchema(parameters.filter((one) => one.in === place).map((one) => [one.name, one]))
  return {
    type: 'object',
    properties: {
      path: inPlace('path'),
      query: inPlace('query'),
      headers: inPlace('header'),
      cookies: inPlace('cookie'),
      body: contentSchema(requestBody?.content) ?? true,
    },
    required: operation.requestBody?.required ? ['body'] : [],
  }
}

/** Response headers to which the description does not apply in full. */
export interface HeaderExceptions {
  /** Headers that may be missing although they are required. */
  readonly optionalHeaders: readonly string[]
  /** Headers that are sent without being declared. */
  readonly undeclaredHeaders: readonly string[]
}

/** Returns the schema of the `headers`, the `mediaType` and the `body` of a response. */
export function responseSchema(
  { headers = {}, content }: ResponseObject,
  { optionalHeaders, undeclaredHeaders }: HeaderExceptions,
): JsonObject {
  const declared = objectSchema(Object.entries(headers))
  const undeclared = Object.fromEntries(undeclaredHeaders.map((name) => [name, true]))
  const body = contentSchema(content)
  return {
    type: 'object',
    properties: {
      headers: {
        properties: { ...undeclared, ...declared.properties },
        required: declared.required.filter((name) => !optionalHeaders.includes(name)),
        additionalProperties: false,
      },
      mediaType: content === undefined ? false : { enum: Object.keys(content) },
      body: body ?? true,
    },
    required: body === undefined ? [] : ['body'],
  }
}

/** Returns the schema of an object with these parameters or headers. */
function objectSchema(members: readonly (readonly [name: string, member: SchemaHolder])[]) {
  return {
    type: 'object',
    properties: Object.fromEntries(
      // In `allOf`, Ajv does not fill in a default before it finds that a parameter is missing. One with
      // `content` is left to express-openapi-validator, which parses its text.
      members.map(([name, { schema = {} }]) => [name, { allOf: [schema] }]),
    ),
    required: members.filter(([, { required }]) => required === true).map(([name]) => name),
  }
}

/** Returns the schema of the JSON content that a body or a response has. */
function contentSchema(content: ResponseObject['content'] = {}): JsonObject | undefined {
  const types = Object.keys(content)
  const json = types.find((type) => /^[^;]*[/+]json\b/i.test(type))
  return json === undefined ? undefined : { allOf: [content[json]?.schema ?? {}] }
}
