import { resolve } from 'node:path'
import {
  type Description,
  type Located,
  type Operation,
  parseJson,
  toObject,
} from './description.ts'

/** A header field. */
export interface Field {
  readonly name: string
  readonly value: string
}

export interface Request {
  readonly method: string
  /** With its query, below the origin. */
  readonly path: string
  readonly headers: readonly Field[]
}

export interface Response {
  readonly status: number
  readonly headers: readonly Field[]
  readonly body: string
}

/** Returns what is wrong with a response; headers may be waived by the configuration of the service. */
export type CheckResponse = (
  request: Request,
  response: Response,
  waived?: readonly string[],
) => readonly string[]

type Place = readonly string[]

/** What HTTP and CORS add to any response. */
const ofTransport =
  /^(?:connection|content-(?:length|type)|date|keep-alive|transfer-encoding|vary|access-control-.*)$/i
const project = resolve(import.meta.dirname, '../../..')
/** What only the inside of the service knows: frames of a stack, files, words of a database. */
const internals = [
  /\bat .{0,80}:\d+:\d+/,
  /\bnode:internal|node_modules|\.[cm]?[jt]s:\d/,
  /\bSQLITE_|\bSQLSTATE|near ".{0,20}": syntax error|no such (?:table|column)/,
  /\b(?:Type|Reference|Syntax|Range)Error\b/,
]

/**
 * Makes the check of responses against a description: status, media type, body, each header, the
 * request ID, the headers of deprecated operations, and that errors show nothing of the inside.
 */
export function createResponseCheck(description: Description): CheckResponse {
  const { basePath, find, locate } = description

  function errorsAt(place: Place, { method }: Request, response: Response, waived: Place) {
    if (locate(place) === undefined) return [`status ${response.status} is not declared`]
    return [
      ...headerErrors(description, place, response, waived),
      ...bodyErrors(description, place, response, method),
    ]
  }

  return function checkResponse(request, response, waived = []) {
    const [pathname = ''] = request.path.split('?')
    if (!pathname.startsWith(`${basePath}/`)) return []
    const operation = find(request.method, pathname)
    const name = `${operation?.operationId ?? 'no operation'} ${response.status}`
    const place = operation?.responses ?? ['x-outside-operations']
    const found = errorsAt([...place, String(response.status)], request, response, waived)
    // A request that cannot be read as HTTP has a response of its own, whatever its target.
    const isFraming = () => errorsAt(['x-framing-response'], request, response, waived).length === 0
    if (found.length > 0 && locate(['x-framing-response']) !== undefined && isFraming()) return []
    const own = headerValue(request.headers, 'X-Request-Id')
    const idSchema = locate([
      ...place,
      String(response.status),
      'headers',
      'X-Request-Id',
      'schema',
    ])
    const isIdKept =
      own === undefined ||
      headerValue(response.headers, 'X-Request-Id') === own ||
      schemaErrors(description, idSchema, own, '').length > 0
    return [
      ...found,
      ...(isIdKept ? [] : [`X-Request-Id is not ${own}, which was sent`]),
      ...leaks(response),
      ...(operation === undefined ? [] : deprecationErrors(description, operation, response)),
    ].map((error) => `${name}: ${error}`)
  }
}

/** The value of a header, whose name may be written in any case. */
export function headerValue(fields: readonly Field[], name: string): string | undefined {
  return fields.find((field) => field.name.toLowerCase() === name.toLowerCase())?.value
}

function schemaErrors(
  description: Description,
  schema: Located | undefined,
  value: unknown,
  what: string,
): string[] {
  if (schema === undefined) return []
  return description
    .schemaErrors(schema.node, value)
    .map(({ instancePath, message }) => `${what}${instancePath} ${message} (#${schema.pointer})`)
}

function headerErrors(
  description: Description,
  place: Place,
  { headers }: Response,
  waived: Place,
): string[] {
  const { locate } = description
  const declared = Object.keys(locate([...place, 'headers'])?.node ?? {})
  const known = new Set(declared.map((name) => name.toLowerCase()))
  const undeclared = headers
    .filter(({ name }) => !ofTransport.test(name) && !known.has(name.toLowerCase()))
    .map(({ name, value }) => `header ${name} is not declared here (it is ${value})`)
  const wrong = declared.flatMap((name) => {
    const value = headerValue(headers, name)
    const header = locate([...place, 'headers', name])
    if (value !== undefined) {
      const schema = locate([...place, 'headers', name, 'schema'])
      return schemaErrors(description, schema, typed(value, schema), `header ${name}`)
    }
    const isRequired = header?.node['required'] === true && !waived.includes(name)
    return isRequired ? [`header ${name} is missing (#${header.pointer})`] : []
  })
  return [...undeclared, ...wrong]
}

function bodyErrors(
  description: Description,
  place: Place,
  { status, headers, body }: Response,
  method: string,
): string[] {
  const { locate } = description
  if (locate([...place, 'content']) === undefined) {
    return body === '' ? [] : ['it has a body, and none is declared']
  }
  const contentType = headerValue(headers, 'Content-Type') ?? ''
  const mediaType = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (locate([...place, 'content', mediaType]) === undefined) {
    return [`media type ${mediaType || '(none)'} is not declared`]
  }
  if (method === 'HEAD') return body === '' ? [] : ['the response to HEAD has a body']
  const value = mediaType.endsWith('json') ? parseJson(body) : body
  if (value === undefined) return ['the body is not JSON']
  // The description says this in words alone: an Error object has the status of its response.
  const stated = toObject(value)['status']
  const isOther = status >= 400 && stated !== status
  const schema = locate([...place, 'content', mediaType, 'schema'])
  return [
    ...schemaErrors(description, schema, value, 'body'),
    ...(isOther ? [`body/status is ${stated}, the status of the response is ${status}`] : []),
  ]
}

// A header is text; what its schema calls an integer or a boolean is written as in JSON.
function typed(value: string, schema: Located | undefined): unknown {
  const isOther = schema?.node['type'] === 'integer' || schema?.node['type'] === 'boolean'
  return isOther && /^(?:-?(?:0|[1-9]\d*)|true|false)$/.test(value) ? JSON.parse(value) : value
}

function leaks({ status, headers, body }: Response): string[] {
  if (status < 400) return []
  const text = [...headers.map(({ value }) => value), body].join('\n')
  const found = internals.map((pattern) => pattern.exec(text)?.[0]).find(Boolean)
  const shown = text.includes(project) ? project : found
  return shown === undefined ? [] : [`the response shows ${JSON.stringify(shown)}`]
}

/** RFC 9745 and RFC 8594, from what the description says of the operation. */
function deprecationErrors(
  { operations }: Description,
  { node }: Operation,
  { headers }: Response,
): string[] {
  if (node['deprecated'] !== true) return []
  const { 'x-deprecated-at': since, 'x-sunset': sunset, 'x-replaced-by': replacement } = node
  const wanted = {
    Deprecation: since && `@${Date.parse(String(since)) / 1_000}`,
    Sunset: sunset && new Date(String(sunset)).toUTCString(),
  }
  const wrong = Object.entries(wanted)
    .filter(([name, value]) => value !== undefined && headerValue(headers, name) !== value)
    .map(([name, value]) => `${name} is ${headerValue(headers, name)}, and should be ${value}`)
  const { operationId } = toObject(replacement)
  const successor = operations.find((operation) => operation.operationId === operationId)
  const link = headerValue(headers, 'Link') ?? ''
  // A path with parameters is no address that could be linked to.
  const isLinkable = successor !== undefined && !successor.path.includes('{')
  const isLinked = !isLinkable || link.includes('rel="successor-version"')
  return isLinked ? wrong : [...wrong, 'Link names no successor-version']
}
