import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { OperatorError } from '../process/operator-error.ts'
import { findMediaType, isJsonType } from './media-types.ts'
import type { Operation } from './operation.ts'

/** A description that the service cannot run, with what to do about it. */
export class ContractError extends OperatorError {
  override readonly name = 'ContractError'
}

/** A JSON value as a description holds it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json | undefined
}

/** An OpenAPI description, bundled into one document. */
export type Description = JsonObject

/** Returns whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Reads a bundled description whose SHA-256 digest stands beside it, in `<file>.sha256`; throws a
 * `ContractError` when either is missing, or when they do not belong together.
 */
export function readDescription(file: URL): Description {
  const text = read(file)
  const digest = hash('sha256', text)
  if (!read(new URL(`${file}.sha256`)).startsWith(`${digest} `)) {
    const message = `${fileURLToPath(file)} is not what was generated with the rest.`
    throw new ContractError(`${message} ${advice}`)
  }
  return JSON.parse(text)
}

const advice = 'Run: npm run generate'

function read(file: URL): string {
  if (existsSync(file)) return readFileSync(file, 'utf8')
  throw new ContractError(`There is no ${fileURLToPath(file)}. ${advice}`)
}

/** A parameter, a header or a media type object. */
export interface SchemaHolder {
  readonly required?: boolean
  readonly schema?: JsonObject
  readonly example?: Json
  readonly examples?: Readonly<Record<string, JsonObject>>
}

/** A response object of OpenAPI. */
export interface ResponseObject {
  readonly headers?: Readonly<Record<string, SchemaHolder>>
  readonly content?: Readonly<Record<string, SchemaHolder>>
}

/** An operation object of OpenAPI with the parameters of its path. */
export interface OperationObject {
  readonly parameters: readonly (SchemaHolder & { readonly name: string; readonly in: string })[]
  readonly requestBody?: Pick<ResponseObject, 'content'>
  readonly responses: Readonly<Record<string, ResponseObject>>
}

/**
 * Returns an operation of a description with every `$ref` resolved, but those of schemas; without an
 * operation, the responses to other requests.
 */
export function operationObject(
  description: Description,
  operation: Operation | undefined,
): OperationObject {
  const { paths, 'x-undeclared-operations': undeclared } = description
  const item = operation && follow(description, Object(paths)[operation.path])
  const own = operation ? Object(item?.[operation.method]) : { responses: undeclared }
  const { requestBody, responses = {} } = own
  const all = [item?.['parameters'], own.parameters].flatMap((list) => resolve(description, list))
  const named = all.filter(isObject).map((one) => [`${one['in']} ${one['name']}`, one] as const)
  // Its own parameters replace those of its path.
  const parameters = [...new Map(named).values()]
  return Object(resolve(description, { parameters, requestBody, responses }))
}

/** Returns a part of a description with every `$ref` resolved, but those of schemas. */
export function resolve(description: Description, node: Json | undefined): Json | undefined {
  if (Array.isArray(node)) return node.map((item) => resolve(description, item) ?? null)
  const object = follow(description, node)
  if (object === undefined) return node
  const members = Object.entries(object).map(([name, child]) => {
    return [name, name === 'schema' ? child : resolve(description, child)]
  })
  return Object.fromEntries(members)
}

/** Returns an object, or the one that its `$ref` leads to; undefined if there is none. */
export function follow(description: Description, node: Json | undefined): JsonObject | undefined {
  if (!isObject(node)) return undefined
  const { $ref } = node
  return typeof $ref === 'string' ? follow(description, lookUp(description, $ref)) : node
}

/** Returns the object that a local `$ref` points to; undefined if there is none. */
export function lookUp(description: Description, reference: string): JsonObject | undefined {
  if (!reference.startsWith('#/')) return undefined
  let node: Json | undefined = description
  for (const token of reference.slice(2).split('/')) {
    const parent: unknown = Array.isArray(node) ? node : follow(description, node)
    node = Object(parent)[unescapeToken(decodeURIComponent(token))]
  }
  return isObject(node) ? node : undefined
}

/**
 * Returns the schema of a request: `path`, `query`, `headers`, `cookies` and a `body` of a media type that
 * the operation declares. Each of the first four is validated if it is there.
 */
export function requestSchema(
  description: Description,
  operation: Operation,
  mediaType: string | undefined,
): JsonObject {
  const { parameters, requestBody } = operationObject(description, operation)
  const inLocation = (location: string) =>
    objectSchema(parameters.filter((one) => one.in === location).map((one) => [one.name, one]))
  return {
    type: 'object',
    properties: {
      path: inLocation('path'),
      query: inLocation('query'),
      headers: inLocation('header'),
      cookies: inLocation('cookie'),
      body: contentSchema(requestBody?.content, mediaType) ?? true,
    },
    required: operation.requestBody?.required ? ['body'] : [],
  }
}

/** Returns the schema of the `headers`, the `mediaType` and the `body` of a response with a media type. */
export function responseSchema(
  { headers = {}, content }: ResponseObject,
  mediaType: string,
): JsonObject {
  const { properties, required } = objectSchema(Object.entries(headers))
  const mediaTypes = Object.keys(content ?? {})
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

/** Returns the schema of an object with these parameters or headers. */
function objectSchema(members: readonly (readonly [name: string, member: SchemaHolder])[]) {
  return {
    type: 'object',
    properties: Object.fromEntries(
      // In `allOf`, Ajv does not fill in a default before it finds that a parameter is missing.
      members.map(([name, { schema = {} }]) => [name, { allOf: [schema] }]),
    ),
    required: members.filter(([, { required }]) => required === true).map(([name]) => name),
  }
}

/** Returns the schema of content of a media type; undefined if it is not declared. */
function contentSchema(
  content: ResponseObject['content'] = {},
  mediaType = '',
): JsonObject | undefined {
  const declared = findMediaType(Object.keys(content), mediaType)
  return declared === undefined ? undefined : { allOf: [content[declared]?.schema ?? {}] }
}

/** Writes a name as one token of a JSON Pointer (RFC 6901). */
export function escapeToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Reads one token of a JSON Pointer (RFC 6901). */
export function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Returns the names of all properties and parameters in a description, whatever their schema. */
export function namesIn(node: unknown, names: Set<string> = new Set()): ReadonlySet<string> {
  if (Array.isArray(node)) for (const item of node) namesIn(item, names)
  if (!isObject(node)) return names
  if (typeof node['in'] === 'string') names.add(String(node['name']))
  for (const [keyword, child] of Object.entries(node)) {
    if (keyword === 'properties') for (const name of Object.keys(Object(child))) names.add(name)
    namesIn(child, names)
  }
  return names
}
