import type { ValidateFunction } from 'ajv/dist/2020.js'
import { type CompileSchema, createCompiler, type Direction } from './ajv.ts'
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

/** The values of a request, by place. */
export interface RequestValues {
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, unknown>>
  readonly cookies: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** What is validated of a response. */
export interface ResponseValues {
  readonly headers: ResponseHeaders
  readonly body: unknown
}

/**
 * Validates whole requests and responses: one schema for each, compiled when it is first needed. The
 * functions report all errors.
 */
export class MessageSchemas {
  readonly #description: Description
  readonly #compilers = new Map<Direction, CompileSchema>()
  readonly #requests = new Map<Operation, ValidateFunction<RequestValues>>()
  readonly #bodies = new Map<Operation, ValidateFunction<Pick<RequestValues, 'body'>>>()
  readonly #responses = new Map<Located, ValidateFunction<ResponseValues>>()

  constructor(description: Description) {
    this.#description = description
  }

  /** Validates the values of a request to an operation, and fills in defaults of its body. */
  request(operation: Operation): ValidateFunction<RequestValues> {
    return getOrCreate(this.#requests, operation, () =>
      this.#compile('request', requestSchema(this.#description, operation)),
    )
  }

  /** Validates the body of a request to an operation, and fills in its defaults. */
  requestBody(operation: Operation): ValidateFunction<Pick<RequestValues, 'body'>> {
    const toSchema = () => bodySchema(this.#description, operation) ?? true
    return getOrCreate(this.#bodies, operation, () =>
      this.#compile('request', {
        type: 'object',
        properties: { body: toSchema() },
        required: ['body'],
      }),
    )
  }

  /**
   * Validates a response that is declared at a place of the description. Required headers may be
   * missing if they are in `optionalHeaders`.
   */
  response(
    declared: Located,
    optionalHeaders: readonly string[],
  ): ValidateFunction<ResponseValues> {
    return getOrCreate(this.#responses, declared, () =>
      this.#compile('response', responseSchema(this.#description, declared, optionalHeaders)),
    )
  }

  #compile<Values>(direction: Direction, schema: JsonObject): ValidateFunction<Values> {
    const compile = getOrCreate(this.#compilers, direction, () =>
      createCompiler(this.#description, direction),
    )
    return compile(schema) as ValidateFunction<Values>
  }
}

function getOrCreate<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = known.get(key)
  if (value !== undefined) return value
  const made = make()
  known.set(key, made)
  return made
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
  const own = item && locate(description, item, method)
  for (const holder of [item, own]) {
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
  const nameOf = ({ node }: Located) =>
    place === 'header' ? String(node['name']).toLowerCase() : String(node['name'])
  const properties = Object.fromEntries(
    here.map((parameter) => [nameOf(parameter), schemaOf(parameter)]),
  )
  const required = here.filter(({ node }) => node['required'] === true).map(nameOf)
  return { type: 'object', properties, required }
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
  const headers = new Map<string, Located>()
  for (const name of Object.keys(locate(description, declared, 'headers')?.node ?? {})) {
    const header = locate(description, declared, 'headers', name)
    if (header !== undefined) headers.set(name, header)
  }
  const properties = Object.fromEntries(
    [...headers].map(([name, header]) => [name, schemaOf(header)]),
  )
  const required = [...headers].flatMap(([name, { node }]) =>
    node['required'] === true && !optionalHeaders.includes(name) ? [name] : [],
  )
  const body = contentSchema(description, declared)
  return {
    type: 'object',
    properties: {
      headers: {
        type: 'object',
        properties,
        required,
        additionalProperties: false,
      },
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
