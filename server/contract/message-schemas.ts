import {
  type Description,
  isObject,
  type JsonObject,
  type Located,
  locate,
  rootOf,
} from './description.ts'
import type { Operation } from './operation.ts'

/**
 * Returns the schema of a request: `path`, `query`, `headers`, `cookies` and `body`. Each of the first
 * four is validated if it is there.
 */
export function requestSchema(description: Description, operation: Operation): JsonObject {
  const { path, method } = operation
  const body = locate(description, rootOf(description), 'paths', path, method, 'requestBody')
  const parameters = parametersOf(description, operation)
  const inPlace = (place: string) =>
    objectSchema(
      parameters
        .filter(({ node }) => node['in'] === place)
        .map((parameter) => [String(parameter.node['name']), parameter]),
    )
  const properties = {
    path: inPlace('path'),
    query: inPlace('query'),
    headers: inPlace('header'),
    cookies: inPlace('cookie'),
    body: (body && contentSchema(description, body)) ?? true,
  }
  return { type: 'object', properties, required: operation.requestBody?.required ? ['body'] : [] }
}

/** Returns the parameters of an operation; its own replace those of its path. */
function parametersOf(description: Description, { path, method }: Operation): Located[] {
  const found = new Map<string, Located>()
  const item = locate(description, rootOf(description), 'paths', path)
  for (const holder of [item, item && locate(description, item, method)]) {
    const list: unknown = holder?.node['parameters']
    if (holder === undefined || !Array.isArray(list)) continue
    for (const [index, node] of list.filter(isObject).entries()) {
      const pointer = `${holder.pointer}/parameters/${index}`
      const parameter = locate(description, { node, pointer })
      if (parameter) found.set(`${parameter.node['in']} ${parameter.node['name']}`, parameter)
    }
  }
  return [...found.values()]
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
  description: Description,
  declared: Located,
  { optionalHeaders, undeclaredHeaders }: HeaderExceptions,
): JsonObject {
  const names = Object.keys(locate(description, declared, 'headers')?.node ?? {})
  const headers = objectSchema(
    names.flatMap((name) => {
      const header = locate(description, declared, 'headers', name)
      return header === undefined ? [] : [[name, header]]
    }),
  )
  const undeclared = Object.fromEntries(undeclaredHeaders.map((name) => [name, true]))
  const { content } = declared.node
  const body = contentSchema(description, declared)
  return {
    type: 'object',
    properties: {
      headers: {
        properties: { ...undeclared, ...headers.properties },
        required: headers.required.filter((name) => !optionalHeaders.includes(name)),
        additionalProperties: false,
      },
      mediaType: content === undefined ? false : { enum: Object.keys(Object(content)) },
      body: body ?? true,
    },
    required: body === undefined ? [] : ['body'],
  }
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
  if (node['schema'] === undefined) return {}
  return { $ref: `description#${encodeURI(`${pointer}/schema`)}` }
}

/** Returns the schema of the JSON content that a body or a response has. */
function contentSchema(description: Description, holder: Located): JsonObject | undefined {
  const types = Object.keys(locate(description, holder, 'content')?.node ?? {})
  const json = types.find((type) => /^[^;]*[/+]json\b/i.test(type))
  if (json === undefined) return undefined
  const mediaType = locate(description, holder, 'content', json)
  return mediaType && schemaOf(mediaType)
}
