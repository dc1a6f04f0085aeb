import { resolve } from 'node:path'
import { isStream, isXml, kindOf, readItems, readingsOfItem } from './content.ts'
import {
  type Description,
  type Json,
  type JsonObject,
  type Operation,
  parseJson,
  toList,
  toObject,
} from './description.ts'

export interface Request {
  readonly method: string
  /** With its query, below the origin. */
  readonly path: string
}

export interface Response {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/** What HTTP and CORS add to any response. */
const ofTransport =
  /^(?:connection|content-(?:length|type)|x-accel-buffering|date|keep-alive|transfer-encoding|vary|access-control-.*)$/i
const project = resolve(import.meta.dirname, '../../..')
/** What only the inside of the service knows: frames of a stack, files, words of a database. */
const internals = [
  /\bat .{0,80}:\d+:\d+/,
  /\bnode:internal|node_modules|\.[cm]?[jt]s:\d/,
  /\bSQLITE_|\bSQLSTATE|near ".{0,20}": syntax error|no such (?:table|column)/,
  /\b(?:Type|Reference|Syntax|Range)Error\b/,
]

/**
 * Makes the check of responses against a description: status, media type, body, each header, that
 * those of a deprecated operation say so whatever their status, and that errors show nothing of the
 * inside.
 */
export function createResponseCheck(description: Description) {
  const { root, basePath, find, resolve } = description
  const undeclared = resolve(root['x-undeclared-operations'])
  const framing = root['x-framing-response']

  /** Returns what is wrong with a response. */
  return function checkResponse(request: Request, response: Response): readonly string[] {
    const { method, path } = request
    const [pathname = ''] = path.split('?')
    if (!pathname.startsWith(`${basePath}/`)) {
      return []
    }
    const operation = find(method, pathname)
    const name = `${operation?.operationId ?? 'no operation'} ${response.status}`
    const errorsBy = (declared: Json | undefined) => {
      if (declared === undefined) {
        return [`status ${response.status} is not declared`]
      }
      const { headers, content } = resolve(declared)
      return [
        ...headerErrors(description, toObject(headers), response),
        ...bodyErrors(description, content, response, method),
      ]
    }
    const errors = [
      ...errorsBy(declaredFor(operation?.responses ?? undeclared, response.status)),
      ...deprecationErrors(description, operation, pathname, response),
    ]
    // A request that cannot be read as HTTP has a response of its own, whatever its target.
    if (errors.length > 0 && errorsBy(framing).length === 0) {
      return []
    }
    return [...errors, ...leaks(response)].map((error) => `${name}: ${error}`)
  }
}

/** Returns what is declared for a status: by itself, by its range or by default. */
function declaredFor(responses: JsonObject, status: number): Json | undefined {
  const range = `${Math.floor(status / 100)}XX`
  return responses[status] ?? responses[range] ?? responses['default']
}

/** Returns the declared media type that a type belongs to. */
function contentOf(content: JsonObject, mediaType: string): Json | undefined {
  const [group] = mediaType.split('/')
  const names = Object.keys(content)
  const exact = names.find((name) => name.toLowerCase().split(';')[0]?.trim() === mediaType)
  return content[exact ?? `${group}/*`] ?? content['*/*']
}

function headerErrors(
  { resolve, responseErrors }: Description,
  declared: JsonObject,
  { headers }: Response,
): string[] {
  const declaredNames = new Set(Object.keys(declared).map((name) => name.toLowerCase()))
  const undeclared = [...headers]
    .filter(([name]) => !ofTransport.test(name) && !declaredNames.has(name))
    .map(([name, value]) => `header ${name} is not declared here (it is ${value})`)
  const wrong = Object.entries(declared).flatMap(([name, node]) => {
    const value = headers.get(name)
    const { schema, required, explode, content } = resolve(node)
    if (value !== null && content !== undefined) {
      const [media] = Object.values(toObject(content))
      const errors = responseErrors(toObject(media)['schema'], parseJson(value))
      return errors.map(({ message }) => `header ${name} ${message}`)
    }
    if (value !== null) {
      const errors = responseErrors(schema, readHeader(value, resolve(schema), explode === true))
      return errors.map(({ message }) => `header ${name} ${message}`)
    }
    return required === true ? [`header ${name} is missing`] : []
  })
  return [...undeclared, ...wrong]
}

/** Returns what is wrong with the headers that each response of a deprecated operation has, and no other. */
function deprecationErrors(
  { basePath, operations }: Description,
  operation: Operation | undefined,
  path: string,
  { headers }: Response,
): string[] {
  const node = operation?.node['deprecated'] === true ? operation.node : {}
  // A deprecated operation may have none of these extensions.
  const { 'x-deprecated-at': since, 'x-sunset': sunset, 'x-replaced-by': replacement } = node
  const { operationId: replacedBy, url } = toObject(replacement)
  const successor = operations.find(({ operationId }) => operationId === replacedBy)?.path
  const target = successor && basePath + fill(successor, operation?.path ?? '', path)
  const [, linked] = /<([^<>]*)>; rel="successor-version"/.exec(headers.get('Link') ?? '') ?? []
  return [
    ['Deprecation', headers.get('Deprecation'), since && `@${Date.parse(`${since}`) / 1000}`],
    ['Sunset', headers.get('Sunset'), sunset && new Date(`${sunset}`).toUTCString()],
    ['Link to the successor', linked, url ?? target],
  ].flatMap(([name, value, expected]) =>
    (value ?? undefined) === expected ? [] : [`header ${name} is ${value}, not ${expected}`],
  )
}

/** Fills a path template with the parameters that a path has by another template. */
function fill(template: string, other: string, path: string): string {
  const names = other.split('/')
  const texts = path.split('/').slice(-names.length)
  const textOf = (name: string) => encodeURIComponent(decode(texts[names.indexOf(name)] ?? ''))
  const parts = template.split('/')
  return parts.map((part) => (part.includes('{') ? textOf(part) : part)).join('/')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function bodyErrors(
  description: Description,
  content: Json | undefined,
  { status, headers, body }: Response,
  method: string,
): string[] {
  const isWithout = [204, 205, 304].includes(status) || Object.keys(toObject(content)).length === 0
  if (isWithout) {
    return body === '' ? [] : ['it has a body, and none is declared']
  }
  const contentType = headers.get('Content-Type') ?? ''
  const mediaType = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  const declared = contentOf(toObject(content), mediaType)
  if (declared === undefined) {
    return [`media type ${mediaType || '(none)'} is not declared`]
  }
  if (method === 'HEAD') {
    return body === '' ? [] : ['the response to HEAD has a body']
  }
  if (isStream(mediaType)) {
    return itemErrors(description, description.resolve(declared), mediaType, body)
  }
  const value = mediaType.endsWith('json') ? parseJson(body) : body
  if (value === undefined) {
    return ['the body is not JSON']
  }
  const { schema } = description.resolve(declared)
  const isValidated = isValidatedContent(mediaType, description.resolve(schema))
  const errors = isValidated ? description.responseErrors(schema, value) : []
  return [
    ...errors.map(({ instancePath, message }) => `body${instancePath} ${message}`),
    ...statusErrors(value, status, (body) => description.responseErrors(schema, body).length === 0),
  ]
}

/** Returns whether content has to fit its schema: bytes do not, nor XML whose elements it describes. */
function isValidatedContent(mediaType: string, schema: JsonObject): boolean {
  const kind = kindOf(mediaType)
  return kind === 'json' || (kind === 'text' && !isXml(mediaType) && schema['type'] === 'string')
}

/** How many items of a stream are validated. */
const maxItems = 100

/** Returns what is wrong with the items of a stream, each of which is an event, its data, or a line. */
function itemErrors(
  { resolve, responseErrors }: Description,
  media: JsonObject,
  mediaType: string,
  body: string,
): string[] {
  const { itemSchema, 'x-item-schema': ofExtension, schema } = media
  const item = itemSchema ?? ofExtension ?? resolve(schema)['items']
  const items = item === undefined ? [] : readItems(mediaType, body).slice(0, maxItems)
  return items.flatMap((each) => {
    const errors = readingsOfItem(each).map((reading) => responseErrors(item, reading))
    const isValid = errors.some(({ length }) => length === 0)
    return isValid ? [] : [`the item ${JSON.stringify(each).slice(0, 100)} is not declared`]
  })
}

/** Returns the violation of an error with another status than its response, if its schema allows that of the response. */
function statusErrors(value: Json, status: number, isAllowed: (body: Json) => boolean): string[] {
  const body = toObject(value)
  const { status: stated } = body
  const isOther = status >= 400 && typeof stated === 'number' && stated !== status
  if (!isOther || !isAllowed({ ...body, status })) {
    return []
  }
  return [`body/status is ${stated}, the status of the response is ${status}`]
}

/** Reads the text of a header, in the style `simple`. */
function readHeader(text: string, schema: JsonObject, isExploded: boolean): unknown {
  const { type, items, prefixItems, properties } = schema
  const parts = text.split(/, ?/)
  if (type === 'array') {
    const first = toList(prefixItems)
    return parts.map((item, index) => typed(item, toObject(first[index] ?? items)))
  }
  if (type !== 'object') {
    return typed(text, schema)
  }

  const pairs = isExploded
    ? parts.map((part) => part.split('='))
    : parts.flatMap((name, index) => (index % 2 === 0 ? [[name, parts[index + 1]]] : []))
  const members = pairs.map(([name = '', value = '']) => {
    return [name, typed(value, toObject(toObject(properties)[name]))] as const
  })
  return Object.fromEntries(members)
}

// A header is text; what its schema calls a number or a boolean is written as in JSON.
function typed(value: string, { type }: JsonObject): unknown {
  const isOther = type === 'integer' || type === 'number' || type === 'boolean'
  return isOther && /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?|true|false)$/.test(value)
    ? JSON.parse(value)
    : value
}

/** Returns what an error response shows of the inside of the service. */
function leaks({ status, headers, body }: Response): string[] {
  if (status < 400) {
    return []
  }
  const text = [...headers.values(), body].join('\n')
  const internal = internals.map((pattern) => pattern.exec(text)?.[0]).find(Boolean)
  const leaked = text.includes(project) ? project : internal
  return leaked === undefined ? [] : [`the response shows ${JSON.stringify(leaked)}`]
}
