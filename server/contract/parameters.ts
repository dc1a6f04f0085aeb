import type { Request } from 'express'
import { escapeToken } from '../description/pointer.ts'
import type { Detail } from './errors.ts'
import type { Operation, Parameter } from './operation.ts'
import { decode } from './percent-encoding.ts'
import { splitItems } from './query-style.ts'

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
  /** The media type of the body, as the description declares it; undefined without a body. */
  readonly mediaType: string | undefined
  readonly body: unknown
}

/** The parameters of one location. */
interface SentLocation {
  /** The text of each parameter; those of the items of an array. */
  readonly texts: Texts
  /** The values, and the defaults of parameters that were not sent. */
  readonly values: Values
}

/** The parameters of a request, and their violations before a schema is applied. */
export interface SentParameters extends Parameters<SentLocation> {
  readonly details: readonly Detail[]
}

/** The path and the query of a request as they were sent, still percent-encoded. */
interface RawTarget {
  readonly path: string
  readonly rawQuery: string
}

/** Decodes the parameters of a request, and reports what no schema finds: the schemas see values. */
export function readParameters(
  { parameters: { path, query, header, cookie } }: Operation,
  request: Request,
  { path: rawPath, rawQuery }: RawTarget,
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
  return {
    path: read('path', path, pathPairs(request, rawPath, path)),
    query: read('query', query, queryPairs(rawQuery, query)),
    headers: read('headers', header, headerPairs(request, header)),
    cookies: read('cookies', cookie, cookiePairs(request, cookie)),
    details,
  }
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

/** Returns the parameters of a query as they were sent, decoded; a pair for each item of an array. */
export function queryPairs(raw: string, rows: Rows): Pair[] {
  const pairs = raw.split('&').filter(Boolean)
  return pairs.flatMap((pair) => {
    const [rawName = '', ...rest] = pair.split('=')
    const rawText = rest.join('=')
    const name = decodeQuery(rawName)
    if (name === undefined) {
      return [[rawName, undefined] as const]
    }

    const row = Object.hasOwn(rows, name) ? rows[name] : undefined
    // An encoded separator is part of an item: they are split before they are decoded.
    return splitItems(rawText, row).map((item) => [name, decodeQuery(item)] as const)
  })
}

// In a query, as in a form, a plus is a space.
function decodeQuery(text: string): string | undefined {
  return decode(text.replaceAll('+', ' '))
}

function headerPairs({ headersDistinct }: Request, rows: Rows): Pair[] {
  return Object.keys(rows).flatMap((name) => {
    const texts = headersDistinct[name.toLowerCase()] ?? []
    return texts.map((text): Pair => [name, text])
  })
}

// A client has cookies of others, too.
function cookiePairs({ headers }: Request, rows: Rows): Pair[] {
  return readCookies(headers.cookie).filter(([name]) => Object.hasOwn(rows, name))
}

/** Returns the names and values in a `Cookie` header: pairs, separated by semicolons (RFC 6265, section 5.4). */
export function readCookies(field = ''): (readonly [name: string, value: string])[] {
  return field.split(';').map((pair) => {
    const [name = '', ...rest] = pair.split('=')
    return [name.trim(), rest.join('=').trim()] as const
  })
}

function groupByName(rows: Rows, pairs: readonly Pair[], report: Report): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [name, text] of pairs) {
    const texts = found.get(name)
    if (text === undefined) {
      report(name, 'must be percent-encoded UTF-8')
    } else if (!Object.hasOwn(rows, name)) {
      report(name, 'is not a parameter of this operation')
    } else if (texts === undefined) {
      found.set(name, [text])
    } else {
      texts.push(text)
    }
  }
  return found
}

/**
 * Reports texts that are repeated, empty or not in the form of their type; returns one text of each
 * parameter, or those of the items of an array. Empty texts are skipped: no schema is for them.
 */
function checkTexts(
  rows: Rows,
  found: ReadonlyMap<string, readonly string[]>,
  report: Report,
): Texts {
  const sent: Texts = {}
  for (const [name, texts] of found) {
    const { type, items } = rows[name] ?? {}
    const isArray = type === 'array'
    if (isArray) {
      checkItems(name, texts, items, report)
    } else {
      checkText(name, texts, type, report)
    }

    const [first = ''] = texts
    const isEmpty = first === '' && (texts.length === 1 || !isArray)
    if (!isEmpty) {
      sent[name] = isArray ? [...texts] : first
    }
  }
  return sent
}

function checkText(
  name: string,
  texts: readonly string[],
  type: Parameter['type'],
  report: Report,
): void {
  if (texts.length > 1) {
    report(name, `must be given once, not ${texts.length} times`)
  }
  const message = texts.map((text) => lexicalError(type, text)).find(Boolean)
  if (message !== undefined) {
    report(name, message)
  }
}

function checkItems(
  name: string,
  texts: readonly string[],
  type: Parameter['type'],
  report: Report,
): void {
  // It may be no item, or an empty one.
  const isEmpty = texts.length === 1 && texts[0] === ''
  if (isEmpty) {
    report(name, emptyText)
    return
  }

  for (const [index, text] of texts.entries()) {
    const message = lexicalError(type, text)
    if (message !== undefined) {
      report(name, message, `/${index}`)
    }
  }
}

const emptyText = 'must not be empty'

/**
 * Returns the violation of a text before a schema is applied; undefined if there is none. Numbers are
 * plain decimal digits, while the validator converts `0x10`, `1e1`, `+5` and ` 10` to numbers, too.
 */
function lexicalError(type: Parameter['type'], text: string): string | undefined {
  if (text === '') {
    return emptyText
  }
  if (type !== 'integer' && type !== 'number') {
    return undefined
  }
  if (type === 'integer' && !/^-?[0-9]+$/.test(text)) {
    return 'must be an integer in plain decimal digits'
  }
  if (!/^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(text)) {
    return 'must be a number'
  }
  // Enough digits make an infinity, which is within any limit.
  return Number.isFinite(Number(text)) ? undefined : 'must not be beyond double precision'
}

/** Converts all texts, and fills in defaults. */
function toValues(texts: Texts, rows: Rows): Values {
  const values: Values = {}
  for (const [name, row] of Object.entries(rows)) {
    const sent = Object.hasOwn(texts, name) ? texts[name] : undefined
    let value = defaultOf(row)
    if (typeof sent === 'string') {
      value = toValue(sent, row.type)
    }
    if (Array.isArray(sent)) {
      value = sent.map((item) => toValue(item, row.items))
    }
    if (value !== undefined) {
      values[name] = value
    }
  }
  return values
}

function defaultOf(row: Parameter): unknown {
  if (row.required) {
    return undefined
  }
  // A handler may change what it gets.
  return typeof row.default === 'object' ? structuredClone(row.default) : row.default
}

function toValue(text: string, type: Parameter['type']): unknown {
  if (type === 'integer' || type === 'number') {
    return Number(text)
  }
  if (type === 'boolean' && (text === 'true' || text === 'false')) {
    return text === 'true'
  }
  return text
}
