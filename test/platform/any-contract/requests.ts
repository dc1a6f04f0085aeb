import { existsSync, readFileSync } from 'node:fs'
import {
  findItemSchema,
  judgeItems,
  readItems,
  type SentContent,
  writeBytes,
  writeForm,
  writeMultipart,
} from './content.ts'
import { createCredentials } from './credentials.ts'
import { type Document, type Located, parseText } from './document.ts'
import { type ReceivedResponse, type SentRequest, send } from './http.ts'
import {
  isObject,
  type Json,
  type JsonObject,
  listMismatches,
  show,
  toList,
  toObject,
  toText,
} from './json.ts'
import {
  findOperation,
  findResponse,
  isJsonType,
  listOperations,
  type Operation,
} from './operations.ts'
import { findMedia, findSchema, matchesType, validate } from './schemas.ts'

/** The file `requests.yaml` beside a description: requests, and what must come of them. */
export interface Requests {
  readonly valid: readonly JsonObject[]
  readonly invalid: readonly JsonObject[]
  /** The error body of the API where an operation declares none: its media type and a reference to its schema. */
  readonly errors: JsonObject
  /** What `init` must print, as patterns. */
  readonly told: readonly string[]
  /** The operations that cannot be served: `init` names them, and the service sends 501. */
  readonly unserved: readonly string[]
  /** A pattern of what is wrong with the description, which `init` or `check` must name. */
  readonly named: string | undefined
}

/** A service to send requests to, and the description that it should serve. */
export interface Judged {
  readonly origin: string
  readonly key: string | undefined
  readonly document: Document
  /** The document that the service serves, for errors that the description does not declare. */
  readonly served: Document
  readonly errors: JsonObject
}

/** Reads the requests beside a description; none if there is no such file. */
export function readRequests(file: string): Requests {
  const content = existsSync(file) ? toObject(parseText(readFileSync(file, 'utf8'))) : {}
  const { valid, invalid, errors, told, unserved, named } = content
  return {
    valid: toList(valid).map(toObject),
    invalid: toList(invalid).map(toObject),
    errors: toObject(errors),
    told: toList(told).map(toText),
    unserved: toList(unserved).map(toText),
    named: named === undefined ? undefined : toText(named),
  }
}

/** Sends requests one after another; returns what is wrong with the responses. */
export async function judgeRequests(
  judged: Judged,
  requests: readonly JsonObject[],
  expectedStatus: string,
): Promise<readonly string[]> {
  const failures: string[] = []
  for (const described of requests) {
    const name = toText(described['request'])
    try {
      const found = await judgeRequest(judged, described, expectedStatus)
      failures.push(...found.map((failure) => `${name}: ${failure}`))
    } catch (error) {
      failures.push(`${name}: ${error}`)
    }
  }
  return failures
}

async function judgeRequest(
  judged: Judged,
  described: JsonObject,
  expectedStatus: string,
): Promise<readonly string[]> {
  const { document, origin } = judged
  const [method = '', target = ''] = toText(described['request']).split(' ')
  const operation = findOperation(listOperations(document), method, target)
  const response = await send(origin, prepare(judged, described, operation))

  const statuses = [described['status'] ?? expectedStatus].flat().map(String)
  if (!statuses.some((status) => isStatus(status, response.status))) {
    const got = `${response.status} ${show(response.body)}`
    return [`${got}, not ${statuses.join(' or ')}`]
  }
  return [
    ...judgeDeclared(judged, described, operation, response),
    ...judgeFacts(described, response),
  ]
}

/** Returns whether a status is the expected one, which may be a range such as `4XX`. */
function isStatus(expected: string, status: number): boolean {
  return new RegExp(`^${expected.replaceAll('X', '\\d')}$`).test(String(status))
}

/** Returns the request that a description of one stands for, with credentials unless it has its own. */
function prepare(
  { document, key }: Judged,
  described: JsonObject,
  operation: Operation | undefined,
): SentRequest {
  const [method = '', ...rest] = toText(described['request']).split(' ')
  const requirements = operation?.security ?? toList(document.root.value['security']).map(toObject)
  const used = described['credentials'] === 'none' ? undefined : key
  const { headers, query } = createCredentials(document, requirements, used)
  const target = [rest.join(' '), ...query].reduce((path, pair) => {
    return `${path}${path.includes('?') ? '&' : '?'}${pair}`
  })

  const given = Object.entries(toObject(described['headers'])).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, String(value)] as const),
  )
  const content = printContent(described)
  const type = toText(described['bodyType'] ?? content?.type)
  const typed = content === undefined ? [] : [['Content-Type', type] as const]
  const body = content?.body
  return { method, target, headers: [...typed, ...headers, ...given], body }
}

/** Returns the content of a request: fields of a form, parts, bytes, a text or JSON; undefined if it has none. */
function printContent(described: JsonObject): SentContent | undefined {
  const { form, parts, bytes } = described
  if (form !== undefined) {
    return writeForm(toObject(form))
  }
  if (parts !== undefined) {
    return writeMultipart(toList(parts).map(toObject))
  }
  if (bytes !== undefined) {
    return { body: writeBytes(bytes), type: 'application/octet-stream' }
  }
  const body = printBody(described)
  return body === undefined ? undefined : { body, type: 'application/json' }
}

/** Returns a text, JSON, or an object with a member that is filled to some length. */
function printBody({ text, body, fill }: JsonObject): string | undefined {
  if (text !== undefined) {
    return toText(text)
  }
  if (body === undefined) {
    return undefined
  }
  const filled = Object.entries(toObject(fill)).map(([name, length]) => {
    return [name, 'a'.repeat(Number(length))] as const
  })
  return JSON.stringify(isObject(body) ? { ...body, ...Object.fromEntries(filled) } : body)
}

/** Judges a response by what the description declares for its status. */
export function judgeDeclared(
  judged: Judged,
  described: JsonObject,
  operation: Operation | undefined,
  response: ReceivedResponse,
): readonly string[] {
  if (described['request'] !== undefined && toText(described['request']).startsWith('HEAD ')) {
    return response.body === '' ? [] : ['a response to HEAD has a body']
  }
  const { document, errors } = judged
  const declared = operation && findResponse(document, operation, response.status)
  if (declared !== undefined && described['schema'] === undefined) {
    return judgeMessage(document, declared, response)
  }

  const { type, schema } = { ...errors, ...described }
  if (typeof schema === 'string') {
    return judgeError(document, toText(type), schema, response)
  }
  return judgeAddition(judged, operation, response)
}

/** Judges a response by a declared one: media type, body and headers. */
function judgeMessage(
  document: Document,
  declared: Located<JsonObject>,
  response: ReceivedResponse,
): readonly string[] {
  const content = toObject(declared.value['content'])
  const { status, headers, body } = response
  const failures = judgeHeaders(document, declared, response)
  if (Object.keys(content).length === 0) {
    // An error without a declared body may have one.
    return body === '' || status >= 400
      ? failures
      : [...failures, `${status} has a body: ${show(body)}`]
  }

  const mediaType = headers['content-type'] ?? ''
  if (!Object.keys(content).some((range) => matchesType(range, mediaType))) {
    const types = Object.keys(content).join(' or ')
    return [...failures, `${status} has the media type '${mediaType}', not ${types}`]
  }
  const items = readItems(mediaType, body)
  if (items !== undefined) {
    const media = findMedia(document, declared, mediaType)
    return [...failures, ...judgeItems(document, findItemSchema(document, media), items)]
  }
  const schema = findSchema(document, declared, mediaType)
  return [...failures, ...judgeBody(document, schema, mediaType, response)]
}

function judgeBody(
  document: Document,
  schema: Located | undefined,
  mediaType: string,
  { status, body }: ReceivedResponse,
): readonly string[] {
  const value = isJsonType(mediaType) ? parseJson(body) : { json: body }
  const isText = /^text\//i.test(mediaType) && document.follow(schema).value['type'] === 'string'
  if (!isJsonType(mediaType) && !isText) {
    return []
  }
  if (value === undefined) {
    return [`the body of ${status} is no JSON: ${show(body)}`]
  }
  if (schema === undefined) {
    return []
  }
  const errors = validate(document, schema, 'response', value.json)
  return errors.length === 0
    ? []
    : [`the body of ${status}, ${show(body)}, is not as declared: ${errors.join('; ')}`]
}

/** Judges an error by the schema of the API's own errors. */
function judgeError(
  document: Document,
  type: string,
  reference: string,
  response: ReceivedResponse,
): readonly string[] {
  const mediaType = response.headers['content-type'] ?? ''
  const schema = document.resolve(reference, { file: document.file })
  if (schema === undefined) {
    throw new Error(`there is no schema ${reference}`)
  }
  if (type !== '' && !matchesType(type, mediaType)) {
    return [`${response.status} has the media type '${mediaType}', not ${type}`]
  }
  return judgeBody(document, schema, mediaType, response)
}

/** Judges a response that the description does not declare by the document that the service serves. */
function judgeAddition(
  { served }: Judged,
  operation: Operation | undefined,
  response: ReceivedResponse,
): readonly string[] {
  const { status } = response
  // 501 is sent where an operation is not served, which its description cannot say.
  if (operation === undefined || status === 501) {
    return []
  }
  const same = listOperations(served).find(
    ({ method, path }) => method === operation.method && path === operation.path,
  )
  const declared = same && findResponse(served, same, status)
  if (declared === undefined) {
    return [`${status} is declared neither by the description nor by /openapi.json`]
  }
  return judgeMessage(served, declared, response)
}

/** Judges the declared headers that are there, and those that must be. */
function judgeHeaders(
  document: Document,
  declared: Located<JsonObject>,
  { status, headers }: ReceivedResponse,
): readonly string[] {
  const names = Object.keys(toObject(declared.value['headers']))
  return names.flatMap((name): readonly string[] => {
    const header = document.follow(document.at(declared, 'headers', name))
    const text = headers[name.toLowerCase()]
    if (text === undefined) {
      return header.value['required'] === true ? [`${status} has no header ${name}`] : []
    }
    const schema = document.at(header, 'schema')
    if (schema === undefined) {
      return []
    }
    const candidates = readHeader(text)
    const isValid = candidates.some(
      (value) => validate(document, schema, 'response', value).length === 0,
    )
    return isValid ? [] : [`the header ${name} of ${status}, ${show(text)}, is not as declared`]
  })
}

/** Returns the values that a header may stand for: a text, JSON, a list, an object. */
function readHeader(text: string): readonly Json[] {
  const parts = text.split(',').map((part) => part.trim())
  const typed = parts.map((part) => parseJson(part)?.json ?? part)
  const pairs = parts.map((part) => part.split('='))
  const names = typed.filter((_, index) => index % 2 === 0).map(String)
  return [
    text,
    ...(parseJson(text) === undefined ? [] : [parseJson(text)?.json ?? null]),
    parts,
    typed,
    Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value])),
    Object.fromEntries(names.map((name, index) => [name, typed[2 * index + 1] ?? null])),
  ]
}

/** Judges what a described request says of its response. */
function judgeFacts(described: JsonObject, response: ReceivedResponse): readonly string[] {
  const failures: string[] = []
  const { body, headers } = response
  const type = toText(described['type'])
  if (type !== '' && !matchesType(type, headers['content-type'] ?? '')) {
    failures.push(`the media type is '${headers['content-type']}', not ${type}`)
  }
  if (described['response'] !== undefined) {
    failures.push(...listMismatches(described['response'], parseJson(body)?.json))
  }
  if (described['responseText'] !== undefined) {
    const pattern = toText(described['responseText'])
    const isFound = new RegExp(pattern).test(body)
    failures.push(...(isFound ? [] : [`the body ${show(body)} does not match ${pattern}`]))
  }
  failures.push(...judgeContent(described, response))
  for (const [name, pattern] of Object.entries(toObject(described['responseHeaders']))) {
    const value = headers[name.toLowerCase()]
    const isFound = value !== undefined && new RegExp(String(pattern)).test(value)
    failures.push(...(isFound ? [] : [`the header ${name} is ${value}, not ${show(pattern)}`]))
  }
  return failures
}

/** Judges what a described request says of content that is not JSON: its items, and its bytes. */
function judgeContent(described: JsonObject, response: ReceivedResponse): readonly string[] {
  const { body, bytes, headers } = response
  const failures: string[] = []
  if (described['items'] !== undefined) {
    const items = readItems(headers['content-type'] ?? '', body)
    failures.push(...listMismatches(described['items'], items))
  }
  if (described['responseBytes'] !== undefined) {
    const expected = toText(described['responseBytes'])
    const isFound = bytes.toString('hex').startsWith(expected)
    failures.push(...(isFound ? [] : [`the bytes do not begin with ${expected}`]))
  }
  if (described['responseSize'] !== undefined && bytes.length !== described['responseSize']) {
    failures.push(`the body has ${bytes.length} bytes, not ${described['responseSize']}`)
  }
  return failures
}

function parseJson(text: string): { readonly json: Json } | undefined {
  try {
    return { json: JSON.parse(text) }
  } catch {
    return undefined
  }
}
