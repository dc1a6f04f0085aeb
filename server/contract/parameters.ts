import type { Request } from 'express'
import { escapeToken } from './description.ts'
import type { Detail } from './errors.ts'
import type { Operation, Parameter } from './operation.ts'
import { decode, fieldValues, type RequestContext } from './request-context.ts'

type Values = Record<string, unknown>
type Texts = Record<string, string | string[]>
type Rows = Readonly<Record<string, Parameter>>

/** The parameters of a request by location and name, as the description writes it. */
export interface Parameters<Values> {
  readonly path: Values
  readonly query: Values
  readonly headers: Values
  readonly cookies: Values
}

/** The values of a request. */
export interface RequestValues extends Parameters<Values> {
  readonly body: unknown
}

/** The parameters of one place, as text and converted. */
interface SentPlace {
  readonly texts: Texts
  /** Absent if one of them is not of a simple type: string, integer, number, boolean. */
  readonly values: Values | undefined
}

/** The parameters of a request, and what is wrong with them before a schema is applied. */
export interface SentParameters extends Parameters<SentPlace> {
  readonly details: readonly Detail[]
}

/** Reads parameters as they were sent, and checks what express-openapi-validator does not. */
export function readParameters(
  { parameters }: Operation,
  request: Request,
  { path: rawPath, rawQuery }: Pick<RequestContext, 'path' | 'rawQuery'>,
): SentParameters {
  const details: Detail[] = []
  const { path, query, header, cookie } = parameters
  const read = (place: string, rows: Rows, found: Found): SentPlace => {
    const texts = checkTexts(place, rows, found, details)
    return { texts, values: convert(texts, rows) }
  }
  return {
    path: read('path', path, findInPath(request, rawPath, path, details)),
    query: read('query', query, findInQuery(rawQuery, query, details)),
    headers: read('headers', header, findInHeaders(request, header)),
    cookies: read('cookies', cookie, findInCookies(request, cookie)),
    details,
  }
}

/** The texts of parameters that were sent, decoded, by name. */
type Found = Map<string, string[]>

function add(found: Found, name: string, text: string): void {
  const texts = found.get(name)
  if (texts === undefined) found.set(name, [text])
  else texts.push(text)
}

const malformedEscape = 'must be percent-encoded UTF-8'

function findInPath({ params }: Request, rawPath: string, rows: Rows, details: Detail[]): Found {
  // `requestContext` has encoded the percent signs of a path that cannot be decoded.
  const isEncoded = decode(rawPath) === undefined
  const found: Found = new Map()
  for (const name in rows) {
    const text = String(params[name] ?? '')
    const value = isEncoded ? decode(text) : text
    if (value !== undefined) found.set(name, [value])
    else details.push({ path: `/path/${escapeToken(name)}`, message: malformedEscape })
  }
  return found
}

function findInQuery(raw: string, rows: Rows, details: Detail[]): Found {
  const found: Found = new Map()
  for (const pair of raw.split('&')) {
    if (pair === '') continue
    const [rawName = '', ...rest] = pair.split('=')
    const name = decode(rawName.replaceAll('+', ' '))
    const value = decode(rest.join('=').replaceAll('+', ' '))
    const isDecoded = name !== undefined && value !== undefined
    if (isDecoded && isDeclared(rows, name)) {
      add(found, name, value)
      continue
    }
    const message = isDecoded ? 'is not a parameter of this operation' : malformedEscape
    details.push({ path: `/query/${escapeToken(name ?? rawName)}`, message })
  }
  return found
}

// `deepObject` parameters have names such as `filter[colour]`.
function isDeclared(rows: Rows, name: string): boolean {
  if (Object.hasOwn(rows, name)) return true
  const [base = '', ...rest] = name.split('[')
  return rest.length > 0 && Object.hasOwn(rows, base) && rows[base]?.style === 'deepObject'
}

function findInHeaders(request: Request, rows: Rows): Found {
  const found: Found = new Map()
  for (const name in rows) {
    const values = fieldValues(request, name.toLowerCase())
    const isArray = rows[name]?.type === 'array'
    if (values.length > 0) found.set(name, isArray ? [values.join(', ')] : values)
  }
  return found
}

// RFC 6265, section 5.4: pairs, separated by semicolons.
function findInCookies({ headers }: Request, rows: Rows): Found {
  const found: Found = new Map()
  for (const pair of headers.cookie?.split(';') ?? []) {
    const [name = '', ...rest] = pair.split('=')
    if (Object.hasOwn(rows, name.trim())) add(found, name.trim(), rest.join('=').trim())
  }
  return found
}

/**
 * Reports texts that are repeated, empty or not in the form of their type; returns one text of each
 * parameter, or all of an array. The validator would miss the other errors after an empty text.
 */
function checkTexts(place: string, rows: Rows, found: Found, details: Detail[]): Texts {
  const sent: Texts = {}
  for (const [name, texts] of found) {
    const { type, items, explode = true } = rows[name] ?? {}
    const isField = place === 'headers'
    const reject = (message: string, index = ''): void => {
      const path = `/${place}/${escapeToken(isField ? name.toLowerCase() : name)}${index}`
      details.push({ path, message })
    }
    const isRepeated = texts.length > 1 && type !== 'array'
    if (isRepeated) reject(`must be given once, not ${texts.length} times`)
    const message = texts.map((text) => lexicalError(type, text)).find(Boolean)
    if (message !== undefined) reject(message)
    const list = place === 'query' && explode ? texts : texts.flatMap((text) => text.split(','))
    for (const [index, item] of type === 'array' ? list.entries() : []) {
      const message = itemError(items, isField ? item.trim() : item)
      if (message !== undefined) reject(message, `/${index}`)
    }
    const [first = ''] = texts
    if (first !== '') sent[name] = texts.length > 1 && !isRepeated ? texts : first
  }
  return sent
}

// The validator rejects what is not a number, and converts 0x10 to one.
function itemError(type: Parameter['type'], text: string): string | undefined {
  return text === '' || Number.isNaN(Number(text)) ? undefined : lexicalError(type, text)
}

/**
 * Returns what is wrong with a text before a schema is applied: numbers are plain decimal digits, while
 * the validator converts `0x10`, `1e1`, `+5` and ` 10` to numbers, too.
 */
function lexicalError(type: Parameter['type'], text: string): string | undefined {
  if (text === '') return 'must not be empty'
  if (type !== 'integer' && type !== 'number') return undefined
  if (type === 'integer' && !/^-?[0-9]+$/.test(text)) {
    return 'must be an integer in plain decimal digits'
  }
  if (!/^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(text)) return 'must be a number'
  // Enough digits make an infinity, which is within any limit.
  return Number.isFinite(Number(text)) ? undefined : 'must not be beyond double precision'
}

/** Converts texts to the types of their parameters, and fills in defaults. */
function convert(texts: Texts, rows: Rows): Values | undefined {
  const values: Values = {}
  for (const name in texts) if (!Object.hasOwn(rows, name)) return undefined
  for (const name in rows) {
    const text = texts[name]
    const value = text === undefined ? defaultOf(rows[name]) : toValue(text, rows[name]?.type)
    if (value !== undefined) values[name] = value
    else if (text !== undefined) return undefined
  }
  return values
}

function defaultOf(row: Parameter | undefined): unknown {
  if (row?.required) return undefined
  // A handler may change what it gets.
  return typeof row?.default === 'object' ? structuredClone(row.default) : row?.default
}

function toValue(text: string | string[], type: Parameter['type']): unknown {
  if (typeof text !== 'string') return undefined
  if (type === 'string') return text
  if (type === 'integer' || type === 'number') return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return undefined
}
