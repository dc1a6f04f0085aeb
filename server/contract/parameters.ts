import type { Request } from 'express'
import { escapeToken } from './description.ts'
import type { Detail } from './errors.ts'
import type { Operation, Parameter } from './operation.ts'
import { decode, type RequestContext } from './request-context.ts'

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

/** The parameters of one location. */
export interface SentLocation {
  readonly texts: Texts
  /** The values of all but arrays, and the defaults of those that were not sent. */
  readonly values: Values
}

/** The parameters of a request, and their violations before a schema is applied. */
export interface SentParameters extends Parameters<SentLocation> {
  readonly details: readonly Detail[]
  /** Whether none of them is an array. */
  readonly isSimple: boolean
}

/** Reads parameters as they were sent, and checks what express-openapi-validator does not. */
export function readParameters(
  { parameters: { path, query, header, cookie } }: Operation,
  request: Request,
  { path: rawPath, rawQuery }: Pick<RequestContext, 'path' | 'rawQuery'>,
): SentParameters {
  const details: Detail[] = []
  const read = (location: string, rows: Rows, pairs: readonly Pair[]): SentLocation => {
    const report: Report = (name, message, index = '') => {
      const shown = location === 'headers' ? name.toLowerCase() : name
      details.push({ path: `/${location}/${escapeToken(shown)}${index}`, message })
    }
    const texts = checkTexts(rows, groupByName(rows, pairs, report), report)
    return { texts, values: toValues(texts, rows) }
  }
  const sent = {
    path: read('path', path, pathPairs(request, rawPath, path)),
    query: read('query', query, queryPairs(rawQuery)),
    headers: read('headers', header, headerPairs(request, header)),
    cookies: read('cookies', cookie, cookiePairs(request, cookie)),
  }
  const isSimple = Object.keys(sent.query.texts).every((name) => query[name]?.type !== 'array')
  return { ...sent, details, isSimple }
}

/** Reports an error of a parameter, or of an item of it, such as `/0`. */
type Report = (name: string, message: string, index?: string) => void

/** A parameter as it was sent, decoded; without a text if it cannot be decoded. */
type Pair = readonly [name: string, text: string | undefined]

function pathPairs({ params }: Request, rawPath: string, rows: Rows): Pair[] {
  // `requestContext` has encoded the percent signs of a path that cannot be decoded.
  const isEncoded = decode(rawPath) === undefined
  return Object.keys(rows).map((name) => {
    const text = String(params[name] ?? '')
    return [name, isEncoded ? decode(text) : text]
  })
}

/** Returns the parameters of a query, as they were sent, decoded. */
export function queryPairs(raw: string): Pair[] {
  const pairs = raw.replaceAll('+', ' ').split('&')
  return pairs.filter(Boolean).map((pair) => {
    const [rawName = '', ...rest] = pair.split('=')
    const name = decode(rawName)
    return name === undefined ? [rawName, undefined] : [name, decode(rest.join('='))]
  })
}

function headerPairs({ headersDistinct }: Request, rows: Rows): Pair[] {
  return Object.keys(rows).flatMap((name) => {
    const texts = headersDistinct[name.toLowerCase()] ?? []
    return texts.map((text): Pair => [name, text])
  })
}

// RFC 6265, section 5.4: pairs, separated by semicolons. A client has cookies of others, too.
function cookiePairs({ headers }: Request, rows: Rows): Pair[] {
  const pairs = (headers.cookie?.split(';') ?? []).map((pair): Pair => {
    const [name = '', ...rest] = pair.split('=')
    return [name.trim(), rest.join('=').trim()]
  })
  return pairs.filter(([name]) => Object.hasOwn(rows, name))
}

function groupByName(rows: Rows, pairs: readonly Pair[], report: Report): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [name, text] of pairs) {
    const texts = found.get(name)
    if (text === undefined) report(name, 'must be percent-encoded UTF-8')
    else if (!Object.hasOwn(rows, name)) report(name, 'is not a parameter of this operation')
    else if (texts === undefined) found.set(name, [text])
    else texts.push(text)
  }
  return found
}

/**
 * Reports texts that are repeated, empty or not in the form of their type; returns one text of each
 * parameter, or all of an array. The validator would miss the other errors after an empty text.
 */
function checkTexts(
  rows: Rows,
  found: ReadonlyMap<string, readonly string[]>,
  report: Report,
): Texts {
  const sent: Texts = {}
  for (const [name, texts] of found) {
    const { type, items, explode = true } = rows[name] ?? {}
    const isRepeated = texts.length > 1 && type !== 'array'
    if (isRepeated) report(name, `must be given once, not ${texts.length} times`)
    const message = texts.map((text) => lexicalError(type, text)).find(Boolean)
    if (message !== undefined) report(name, message)
    const list = explode ? texts : texts.flatMap((text) => text.split(','))
    for (const [index, item] of type === 'array' ? list.entries() : []) {
      const message = itemError(items, item)
      if (message !== undefined) report(name, message, `/${index}`)
    }
    const [first = ''] = texts
    if (first !== '') sent[name] = texts.length > 1 && !isRepeated ? [...texts] : first
  }
  return sent
}

// The validator rejects what is not a number, and converts 0x10 to one.
function itemError(type: Parameter['type'], text: string): string | undefined {
  return text === '' || Number.isNaN(Number(text)) ? undefined : lexicalError(type, text)
}

/**
 * Returns the violation of a text before a schema is applied; undefined if there is none. Numbers are
 * plain decimal digits, while the validator converts `0x10`, `1e1`, `+5` and ` 10` to numbers, too.
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

/** Converts all texts but those of arrays, and fills in defaults. */
function toValues(texts: Texts, rows: Rows): Values {
  const values: Values = {}
  for (const name in rows) {
    const text = Object.hasOwn(texts, name) ? texts[name] : undefined
    const value = text === undefined ? defaultOf(rows[name]) : toValue(text, rows[name]?.type)
    if (value !== undefined) values[name] = value
  }
  return values
}

function defaultOf(row: Parameter | undefined): unknown {
  if (row?.required) return undefined
  // A handler may change what it gets.
  return typeof row?.default === 'object' ? structuredClone(row.default) : row?.default
}

function toValue(text: string | string[], type: Parameter['type']): unknown {
  if (type === 'array') return undefined
  if (type === 'integer' || type === 'number') return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
