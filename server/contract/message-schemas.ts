import type { ValidateFunction } from 'ajv/dist/2020.js'
import { createCompiler, type Direction } from './ajv.ts'
import {
  type Description,
  isObject,
  type JsonObject,
  type Located,
  locate,
  rootOf,
} from './description.ts'
import type { ResponseHeaders } from './headers.ts'
import type { Operation } from './operation.ts'

/** The values of a request, by location. */
export interface RequestValues {
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, unknown>>
  readonly cookies: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** The values of a response that are validated. */
export interface ResponseValues {
  readonly headers: ResponseHeaders
  readonly body: unknown
}

/**
 * The validators of whole requests and responses: one schema for each, compiled when it is first needed.
 * They report all errors.
 */
export class MessageSchemas {
  /** Returns the validator of requests to an operation, which fills in defaults of the body. */
  readonly request: (operation: Operation) => ValidateFunction<RequestValues>
  /** Returns the validator of request bodies alone. */
  readonly requestBody: (operation: Operation) => ValidateFunction<Pick<RequestValues, 'body'>>
  /** Returns the validator of a response, by its place in the description. */
  readonly response: (declared: Located) => ValidateFunction<ResponseValues>

  /** Required headers of a response may be missing if they are in `optionalHeaders`. */
  constructor(description: Description, optionalHeaders: readonly string[] = []) {
    const compiler = memoize((direction: Direction) => createCompiler(description, direction))
    const compile = <Values>(direction: Direction, schema: JsonObject) =>
      compiler(direction)(schema) as ValidateFunction<Values>
    this.request = memoize((operation) => compile('request', requestSchema(description, operation)))
    this.requestBody = memoize((operation) => {
      const body = bodySchema(description, operation) ?? true
      return compile('request', { type: 'object', properties: { body }, required: ['body'] })
    })
    this.response = memoize((declared) =>
      compile('response', responseSchema(description, declared, optionalHeaders)),
    )
  }
}

function memoize<Key, Value>(create: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const value = known.get(key) ?? create(key)
    if (!known.has(key)) known.set(key, value)
    return value
  }
}

function requestSchema(description: Description, operation: Operation): JsonObject {
  const parameters = parametersOf(description, operation)
  const body = bodySchema(description, operation)
  const properties = {
    path: parameterSchemas(parameters, 'path'),
    query: parameterSchemas(parameters, 'query'),
    headers: parameterSchemas(parameters, 'header'),
    cookies: parameterSchemas(parameters, 'cookie'),
    ...(body === undefined ? {} : { body }),
  }
  const isRequired = operation.requestBody?.required === true
  return { type: 'object', properties, required: isRequired ? ['body'] : [] }
}

/** Returns the parameters of an operation; its own replace those of its path. */
function parametersOf(description: Description, { path, method }: Operation): Located[] {
  const found = new Map<string, Located>()
  const item = locate(description, rootOf(description), 'paths', path)
  for (const holder of [item, item && locate(description, item, method)]) {
    const list: unknown = holder?.node['parameters']
    if (holder === undefined || !Array.isArray(list)) continue
    for (const [index, node] of list.entries()) {
      const pointer = `${holder.pointer}/parameters/${index}`
      const parameter = isObject(node) ? locate(description, { node, pointer }) : undefined
      if (parameter === undefined) continue
      found.set(`${parameter.node['in']} ${parameter.node['name']}`, parameter)
    }
  }
  return [...found.values()]
}

function parameterSchemas(parameters: readonly Located[], place: string): JsonObject {
  const here = parameters.filter(({ node }) => node['in'] === place)
  return objectSchema(
    here.map((parameter) => {
      const name = String(parameter.node['name'])
      return [place === 'header' ? name.toLowerCase() : name, parameter] as const
    }),
  )
}

/** Returns the schema of an object with these parameters or headers. */
function objectSchema(members: readonly (readonly [name: string, member: Located])[]) {
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(([name, member]) => [name, schemaOf(member)])),
    required: members.filter(([, { node }]) => node['required'] === true).map(([name]) => name),
  }
}

// A parameter with `content` is left to express-openapi-validator, which parses its text.
function schemaOf({ node, pointer }: Located): JsonObject {
  return node['schema'] === undefined
    ? {}
    : { $ref: `description#${encodeURI(`${pointer}/schema`)}` }
}

function bodySchema(description: Description, operation: Operation): JsonObject | undefined {
  const { path, method } = operation
  const body = locate(description, rootOf(description), 'paths', path, method, 'requestBody')
  return body && contentSchema(description, body)
}

function responseSchema(
  description: Description,
  declared: Located,
  optionalHeaders: readonly string[],
): JsonObject {
  const names = Object.keys(locate(description, declared, 'headers')?.node ?? {})
  const { required, ...headers } = objectSchema(
    names.flatMap((name) => {
      const header = locate(description, declared, 'headers', name)
      return header === undefined ? [] : [[name, header] as const]
    }),
  )
  const requiredHeaders = required.filter((name) => !optionalHeaders.includes(name))
  const body = contentSchema(description, declared)
  return {
    type: 'object',
    properties: {
      headers: { ...headers, required: requiredHeaders, additionalProperties: false },
      body: body ?? declared.node['content'] !== undefined,
    },
    required: ['headers', ...(body === undefined ? [] : ['body'])],
  }
}

/** Returns the schema of the JSON content that a body or a response has. */
function contentSchema(description: Description, holder: Located): JsonObject | undefined {
  const types = Object.keys(locate(description, holder, 'content')?.node ?? {})
  const json = types.find((type) => /^[^;]*[/+]json\b/i.test(type))
  const mediaType = json && locate(description, holder, 'content', json)
  return mediaType && mediaType.node['schema'] !== undefined ? schemaOf(mediaType) : undefined
}
