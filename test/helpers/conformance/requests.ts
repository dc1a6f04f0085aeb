import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import {
  type Description,
  type Json,
  type Operation,
  type Parameter,
  toObject,
} from './description.ts'
import type { Field, Request, Response } from './responses.ts'
import type { Values } from './values.ts'

/** A request as it is written to the wire. */
export interface Sent extends Request {
  readonly body: string | undefined
}

/** A request in parts, each of which can be changed by itself. */
export interface Draft {
  readonly operation: Operation
  /** The values of parameters as texts: one, or several where it is repeated. */
  readonly texts: ReadonlyMap<Parameter, readonly string[]>
  /** More of the query, as it is written. */
  readonly query?: string
  readonly credentials: readonly Field[]
  readonly mediaType: string | undefined
  readonly body: string | undefined
}

/** Stands for the API key of the client, until a request is sent. */
const clientKey = '$API_KEY'

/** Returns a valid request to an operation; undefined where a part that is required cannot be made. */
export function draftOf(
  description: Description,
  values: Values,
  operation: Operation,
  // What is optional is often absent altogether: a service may have a fast path for such requests.
  isFull = values.random() < 0.5,
): Draft | undefined {
  const { random } = values
  const { body, parameters } = operation
  const isWanted = (isRequired: boolean) => isRequired || (isFull && random() < 0.7)
  const texts = parameters
    .filter((one) => isWanted(one.isRequired) && (one.isRequired || !isOpaque(operation, one)))
    .map((parameter) => [parameter, validTexts(values, parameter)] as const)
    .filter(([{ isRequired }, text]) => isRequired || text !== undefined)
  const content = body && isWanted(body.isRequired) ? bodyOf(values, body) : undefined
  if (body?.isRequired === true && content === undefined) return undefined
  if (texts.some(([, text]) => text === undefined)) return undefined
  return {
    ...emptyDraft(description, operation),
    texts: new Map(texts.map(([parameter, text]) => [parameter, text ?? []])),
    mediaType: content === undefined ? undefined : body?.mediaType,
    body: content,
  }
}

/** Returns a request with credentials and nothing else. */
export function emptyDraft(description: Description, operation: Operation): Draft {
  const credentials = credentialsOf(description, operation)
  return {
    ...{ operation, credentials, texts: new Map(), mediaType: undefined, body: undefined },
  }
}

/** Returns a draft with other texts of one parameter. */
export function withTexts(draft: Draft, parameter: Parameter, texts: readonly string[]): Draft {
  return { ...draft, texts: new Map([...draft.texts, [parameter, texts]]) }
}

/** Whether a body is larger than an operation accepts, whatever it says. */
export function isTooLarge({ operation, body }: Draft): boolean {
  return Buffer.byteLength(body ?? '') > (operation.body?.maxBytes ?? Infinity)
}

/** Whether the values of a parameter cannot be made, because they come from links. */
export function isOpaque({ pagedBy }: Operation, { name, in: place }: Parameter): boolean {
  return place === 'query' && name === pagedBy
}

/** Writes a draft as a request. */
export function toSent(basePath: string, draft: Draft): Sent {
  const { operation, texts, query, credentials, mediaType, body } = draft
  const placed = (place: string) => [...texts].filter(([parameter]) => parameter.in === place)
  const path = placed('path').reduce(
    (template, [{ name }, [text = '']]) =>
      template.replace(`{${name}}`, () => encodeURIComponent(text)),
    basePath + operation.path,
  )
  const pairs = placed('query').flatMap(([{ name }, list]) =>
    list.map((text) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`),
  )
  const search = [...pairs, ...(query === undefined ? [] : [query])].join('&')
  const cookies = placed('cookie').map(([{ name }, [text = '']]) => `${name}=${text}`)
  return {
    method: operation.method,
    path: search === '' ? path : `${path}?${search}`,
    headers: [
      ...credentials,
      ...placed('header').flatMap(([{ name }, list]) => list.map((value) => ({ name, value }))),
      ...(cookies.length === 0 ? [] : [{ name: 'Cookie', value: cookies.join('; ') }]),
      ...(mediaType === undefined ? [] : [{ name: 'Content-Type', value: mediaType }]),
    ],
    body,
  }
}

function bodyOf(values: Values, { schema, maxBytes }: NonNullable<Operation['body']>) {
  for (let attempt = 0; attempt < 20; attempt++) {
    const value = values.valueOf(schema)
    const text = value === undefined ? undefined : JSON.stringify(value)
    if (text !== undefined && Buffer.byteLength(text) <= maxBytes) return text
  }
  return undefined
}

function credentialsOf({ root, resolve }: Description, { schemes }: Operation): Field[] {
  const declared = toObject(toObject(root['components'])['securitySchemes'])
  return schemes.map((scheme) => {
    const node = resolve(declared[scheme])
    const kind = [node['type'], node['scheme'] ?? node['in']].join(' ').toLowerCase()
    if (kind === 'http bearer') return { name: 'Authorization', value: `Bearer ${clientKey}` }
    if (kind === 'apikey header') return { name: String(node['name']), value: clientKey }
    throw new Error(`Requests cannot be authenticated with ${scheme}, which is ${kind}.`)
  })
}

/** Whether a text arrives unchanged, by place. */
const isSendable: Readonly<Record<string, (text: string) => boolean>> = {
  // A segment that is empty or consists of dots is another path.
  path: (text) => text.isWellFormed() && !/^\.{0,2}$/.test(text),
  query: (text) => text.isWellFormed(),
  // Space around a field is not part of it (RFC 9110, section 5.5).
  header: (text) => /^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/.test(text),
  cookie: (text) => /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/.test(text),
}

/** Texts that are not values of a type. */
const mistyped: Readonly<Record<string, readonly string[]>> = {
  integer: ['a', '1.5', '1e1', '0x10', '+5', '--1', '1 ', '\u0661', 'null', 'true', 'NaN', '-'],
  number: ['a', '0x10', '+5', '1.', '.5', 'NaN', 'Infinity', '1e', '--1', 'null'],
  boolean: ['1', '0', 'TRUE', 'yes', 'null'],
}

/** The texts of a parameter that are valid, or are not, because of one keyword. */
export interface TextVariation {
  readonly keyword: string
  readonly texts: readonly string[]
  readonly isValid: boolean
}

/** Returns texts of a parameter that are valid; undefined where none is found. */
export function validTexts(values: Values, parameter: Parameter): readonly string[] | undefined {
  const all = textVariations(values, parameter).filter(({ isValid }) => isValid)
  return values.pick(all)?.texts
}

const known = new WeakMap<Parameter, readonly TextVariation[]>()

/** Returns the texts of a parameter that can be sent. */
export function textVariations(values: Values, parameter: Parameter): readonly TextVariation[] {
  const texts = known.get(parameter) ?? makeTexts(values, parameter)
  known.set(parameter, texts)
  return texts
}

function makeTexts(values: Values, parameter: Parameter): readonly TextVariation[] {
  const { schema, in: place, isJoined } = parameter
  const { isList, types } = values.kindOf(schema)
  const isText = (value: Json) =>
    types.includes(typeof value) || (typeof value === 'number' && types.includes('integer'))
  const whole = [1, 2, 3].map(() => ({ keyword: 'value', value: values.valueOf(schema) ?? null }))
  const all = [...whole, ...values.variationsOf(schema)].flatMap(({ keyword, value }) => {
    const items = Array.isArray(value) ? value : [value]
    // Any text is a string, so that a value of another type would be another value.
    if (Array.isArray(value) !== isList || !items.every(isText)) return []
    const texts = items.map(toText)
    if (isJoined && texts.some((text) => text.includes(','))) return []
    const isEmpty = texts.includes('')
    const isValid = values.isValid(schema, value)
    // An empty value is none, unless a description says otherwise (OpenAPI, "allowEmptyValue").
    if (isEmpty && isValid) return []
    return [{ keyword, texts: isJoined && isList ? [texts.join(',')] : texts, isValid }]
  })
  // The service may accept any spelling of the numbers in a list.
  const type = types.filter((one) => one !== 'null').join()
  const other = (mistyped[type] ?? []).filter((text) => !isList || !/[\d\u0661]/.test(text))
  const wrong = other.map((text) => ({ keyword: 'type', texts: [text], isValid: false }))
  return [...all, ...wrong].filter(
    ({ texts }) => texts.length > 0 && texts.every((text) => isSendable[place]?.(text)),
  )
}

function toText(value: Json): string {
  // A large number would be written with an exponent.
  const isWhole = typeof value === 'number' && Number.isInteger(value)
  return isWhole ? BigInt(value).toString() : String(value)
}

/** Sends a request unchanged, also what `fetch` would not send. */
export function send(origin: string, agent: Agent, sent: Sent, key: string): Promise<Response> {
  const { method, path } = sent
  const { hostname, port, host } = new URL(origin)
  const fields = sent.headers.flatMap(({ name, value }) => [name, value.replaceAll(clientKey, key)])
  const content = Buffer.from(sent.body ?? '')
  // Without a length node:http would send an empty body in chunks.
  const needsLength = content.length > 0 || !['GET', 'HEAD', 'OPTIONS'].includes(method)
  const length = needsLength ? ['Content-Length', String(content.length)] : []
  const headers = ['Host', host, ...fields, ...length]
  return new Promise((resolve, reject) => {
    const request = httpRequest({ agent, hostname, port, method, path, headers })
    request.once('error', reject)
    request.once('response', (response) => receive(response).then(resolve, reject))
    request.end(content)
  })
}

async function receive(response: IncomingMessage): Promise<Response> {
  const chunks: Uint8Array[] = await response.toArray()
  const { statusCode: status = 0, headersDistinct } = response
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value) => ({ name, value })),
  )
  return { status, headers, body: Buffer.concat(chunks).toString() }
}
