import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import fc from 'fast-check'
import { type Json, type Operation, type Parameter, toList, toObject } from './description.ts'
import type { Field, Request, Response } from './responses.ts'
import { kept, typesOf } from './schemas.ts'
import type { Generator, Variation } from './variations.ts'

/** A request as it is written to the wire. */
export interface Sent extends Request {
  readonly body: string | undefined
}

/** The values of a parameter as texts: one, or several where it is repeated. */
export type Texts = readonly string[]

/** A request in parts, each of which can be changed by itself. */
export interface Draft {
  readonly operation: Operation
  readonly texts: ReadonlyMap<Parameter, Texts>
  /** More of the query, as it is written. */
  readonly query: readonly string[]
  /** Header fields beside the parameters. */
  readonly fields: readonly Field[]
  readonly credentials: readonly Field[]
  readonly mediaType: string | undefined
  readonly body: string | undefined
}

/** Stands for the API key of the client, until a request is sent. */
export const clientKey = '$API_KEY'

/** Makes valid requests to an operation. */
export function draftsOf(generator: Generator, operation: Operation): fc.Arbitrary<Draft> {
  const texts = operation.parameters
    .filter((parameter) => parameter.isRequired || !isOpaque(operation, parameter))
    .map((parameter) => {
      const values = textsOf(generator, parameter).map((text) => [parameter, text] as const)
      return parameter.isRequired ? values : fc.option(values, { nil: undefined })
    })
  const { body } = operation
  const bodies = body === undefined ? fc.constant(undefined) : bodiesOf(generator, body)
  return fc
    .tuple(fc.tuple(...texts), bodies, requestIdsOf(generator, operation), fc.boolean())
    .map(([sent, content, fields, isFull]) => ({
      operation,
      // What is optional is often absent altogether: the service has a fast path for such requests.
      texts: new Map(
        sent.filter((one) => one !== undefined).filter(([one]) => isFull || one.isRequired),
      ),
      query: [],
      fields,
      credentials: credentialsOf(generator, operation),
      mediaType: content === undefined ? undefined : body?.mediaType,
      body: content,
    }))
}

/** A request with credentials and the parameters of a path alone. */
export function emptyDraft(generator: Generator, operation: Operation, like: Draft): Draft {
  const texts = operation.parameters.flatMap((parameter) =>
    [...like.texts]
      .filter(([other]) => other.in === 'path' && other.name === parameter.name)
      .map(([, text]) => [parameter, text] as const),
  )
  return {
    ...{ operation, query: [], fields: [], mediaType: undefined, body: undefined },
    credentials: credentialsOf(generator, operation),
    texts: new Map(texts),
  }
}

/** A draft with other texts of one parameter. */
export function withTexts(draft: Draft, parameter: Parameter, texts: Texts): Draft {
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
export function toSent({ description }: Generator, draft: Draft): Sent {
  const { operation, texts, query, fields, credentials, mediaType, body } = draft
  const placed = (place: string) => [...texts].filter(([parameter]) => parameter.in === place)
  const path = placed('path').reduce(
    (template, [{ name }, [text = '']]) =>
      template.replace(`{${name}}`, () => encodeURIComponent(text)),
    description.basePath + operation.path,
  )
  const pairs = placed('query').flatMap(([{ name }, values]) =>
    values.map((text) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`),
  )
  const search = [...pairs, ...query].join('&')
  const cookies = placed('cookie').map(([{ name }, [text = '']]) => `${name}=${text}`)
  return {
    method: operation.method,
    path: search === '' ? path : `${path}?${search}`,
    headers: [
      ...credentials,
      ...fields,
      ...placed('header').flatMap(([{ name }, values]) => values.map((value) => ({ name, value }))),
      ...(cookies.length === 0 ? [] : [{ name: 'Cookie', value: cookies.join('; ') }]),
      ...(mediaType === undefined ? [] : [{ name: 'Content-Type', value: mediaType }]),
    ],
    body,
  }
}

function bodiesOf(generator: Generator, body: NonNullable<Operation['body']>) {
  const texts = generator.valuesOf(body.schema).map((value) => JSON.stringify(value))
  const isSmall = (text: string) => Buffer.byteLength(text) <= body.maxBytes
  const fitting = kept(texts, isSmall, `bodies of ${body.maxBytes} bytes`)
  return body.isRequired ? fitting : fc.option(fitting, { nil: undefined })
}

/** Request IDs of the client, where responses are described with one. */
function requestIdsOf({ description, valuesOf }: Generator, operation: Operation) {
  const name = 'X-Request-Id'
  const [status] = operation.successes
  const header = description.locate([...operation.responses, String(status), 'headers', name])
  if (header === undefined) return fc.constant([])
  const fields = valuesOf(header.node['schema']).map((value) => [{ name, value: String(value) }])
  return fc.option(fields, { nil: [] })
}

function credentialsOf({ description }: Generator, { schemes }: Operation): Field[] {
  return schemes.map((scheme) => {
    const node = description.locate(['components', 'securitySchemes', scheme])?.node ?? {}
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

/** What strings are made of where not every character can be sent. */
const alphabets: Readonly<Record<string, string>> = { header: '^[!-~]*$', cookie: '^[0-9A-Za-z]*$' }

/** Texts that are not values of a type. */
const mistyped: Readonly<Record<string, Texts>> = {
  integer: ['a', '1.5', '1e1', '0x10', '+5', '--1', '1 ', '\u0661', 'null', 'true', 'NaN', '-'],
  number: ['a', '0x10', '+5', '1.', '.5', 'NaN', 'Infinity', '1e', '--1', 'null'],
  boolean: ['1', '0', 'TRUE', 'yes', 'null'],
}

/** Texts that break one keyword of a parameter, or reach its limit. */
export interface TextVariation {
  readonly keyword: string
  readonly texts: fc.Arbitrary<Texts>
}

/** Valid texts of a parameter. */
export function textsOf(generator: Generator, parameter: Parameter): fc.Arbitrary<Texts> {
  const canBeSent = sendable(parameter)
  // An empty value is none, unless a description says otherwise (OpenAPI, "allowEmptyValue").
  const isValue = (texts: Texts) => canBeSent(texts) && !texts.includes('')
  const values = generator.valuesOf(sendableSchema(generator, parameter))
  return kept(values.map(writer(parameter)), isValue, `the parameter ${parameter.name}`)
}

/** Valid texts of a parameter that reach the limit of one keyword. */
export function textEdgesOf(generator: Generator, parameter: Parameter): TextVariation[] {
  const edges = generator.edgesOf(sendableSchema(generator, parameter))
  return edges.map((edge) => toTextVariation(edge, parameter))
}

/** Texts of a parameter with one violation. */
export function textViolationsOf(generator: Generator, parameter: Parameter): TextVariation[] {
  const flat = generator.flatten(parameter.schema)
  const single = flat['items'] === undefined ? flat : generator.flatten(flat['items'])
  const types = typesOf(single)
  // Any text is a string, and the service accepts any spelling of the numbers in a list.
  const isList = single !== flat
  const all = types.length === 1 ? (mistyped[types[0] ?? ''] ?? []) : []
  const wrong = all.filter((text) => !isList || !/[\d\u0661]/.test(text))
  const misread = fc.nat(Math.max(0, wrong.length - 1)).map((number) => [wrong[number] ?? ''])
  const violations = generator
    .violationsOf(sendableSchema(generator, parameter))
    .filter(({ keyword }) => keyword !== 'type')
    .filter(({ keyword }) => keyword !== 'pattern' || flat['pattern'] !== undefined)
    // A list without items is not sent at all.
    .filter(({ keyword }) => keyword !== 'minItems' || Number(flat['minItems']) > 1)
  return [
    ...(wrong.length === 0
      ? []
      : [{ keyword: 'type', texts: kept(misread, sendable(parameter), 'type') }]),
    ...violations.map((violation) => toTextVariation(violation, parameter)),
  ]
}

function toTextVariation({ keyword, values }: Variation, parameter: Parameter): TextVariation {
  const what = `${keyword} of the parameter ${parameter.name}`
  return { keyword, texts: kept(values.map(writer(parameter)), sendable(parameter), what) }
}

/** The schema of a parameter, whose strings can all be sent. */
function sendableSchema({ flatten }: Generator, { in: place, schema }: Parameter): Json {
  const flat = flatten(schema)
  const alphabet = alphabets[place]
  return alphabet === undefined || flat['format'] !== undefined
    ? flat
    : { pattern: alphabet, ...flat }
}

function sendable({ in: place }: Parameter) {
  return (texts: Texts) =>
    texts.length > 0 && texts.every((text) => isSendable[place]?.(text) === true)
}

function writer({ isJoined }: Parameter) {
  return (value: Json): Texts => {
    if (!Array.isArray(value)) return [toText(value)]
    const texts = toList(value).map(toText)
    return isJoined && texts.length > 0 ? [texts.join(',')] : texts
  }
}

function toText(value: Json): string {
  if (value === null || typeof value === 'object') {
    throw new Error(`${JSON.stringify(toObject(value))} cannot be written as text.`)
  }
  // A large number would be written with an exponent.
  const isWhole = typeof value === 'number' && Number.isInteger(value)
  return isWhole ? BigInt(value).toString() : String(value)
}

/** Where requests are sent. */
export interface Destination {
  readonly origin: string
  readonly agent: Agent
}

/** Sends a request unchanged, also what `fetch` would not send. */
export function send({ origin, agent }: Destination, sent: Sent, key: string): Promise<Response> {
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
  const { statusCode = 0, rawHeaders } = response
  return {
    status: statusCode,
    headers: toFields(rawHeaders),
    body: Buffer.concat(chunks).toString(),
  }
}

/** Pairs the names and values that node:http lists. */
export function toFields(rawHeaders: readonly string[]): Field[] {
  return Array.from({ length: rawHeaders.length / 2 }, (_, at) => ({
    name: rawHeaders[2 * at] ?? '',
    value: rawHeaders[2 * at + 1] ?? '',
  }))
}

/** Writes a request as a command for bash, where the API key is in `API_KEY`. */
export function toCurl({ method, path, headers, body }: Sent, origin: string): string {
  const fields = headers.map(({ name, value }) => {
    const field = `${name}: ${value}`
    return value.includes(clientKey) ? `-H "${field}"` : `-H ${quoted(field)}`
  })
  // Without `--head` curl waits for the content of a response to HEAD.
  const how = method === 'HEAD' ? ['--head'] : ['-i', '-X', method]
  const content = body === undefined ? [] : ['--data-binary', quoted(body)]
  return ['curl', '--path-as-is', ...how, ...fields, ...content, quoted(origin + path)].join(' ')
}

function quoted(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  const written = [...Buffer.from(text)].map((byte) => {
    const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 0x27 && byte !== 0x5c
    return isPlain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`
  })
  return `$'${written.join('')}'`
}
