import type { Request } from 'express'
import { escapeToken } from './description.ts'
import type { Detail } from './errors.ts'
import type { Operation, Parameter, ParameterPlace } from './operation.ts'
import type { RequestContext } from './request-context.ts'

/** Rows of the parameters table, by name. */
export type Rows = Readonly<Record<string, Parameter>>

/** The parameters of a request as text, and what is wrong with them before a schema is applied. */
export interface SentParameters {
  readonly path: Record<string, string>
  readonly query: Record<string, string | string[]>
  /** By lower-case name. */
  readonly headers: Record<string, string>
  readonly cookies: Record<string, string>
  readonly details: readonly Detail[]
}

/**
 * Reads path, query, header and cookie parameters as they were sent: percent-decoded as UTF-8, names
 * declared, single values single, numbers in plain decimal digits.
 */
export function readParameters(
  { parameters }: Operation,
  request: Request,
  { path: rawPath, rawQuery }: Pick<RequestContext, 'path' | 'rawQuery'>,
): SentParameters {
  const details: Detail[] = []
  const { path, query, header, cookie } = parameters
  const sent = {
    path: isEmpty(path) ? {} : readPath(request, rawPath, path, details),
    query: rawQuery === '' ? {} : readQuery(rawQuery, query, details),
    // `headersDistinct` sorts all headers of a request.
    headers: isEmpty(header) ? {} : readHeaders(request.headersDistinct, header, details),
    cookies: isEmpty(cookie) ? {} : readCookies(request.headersDistinct['cookie'], cookie, details),
    details,
  }
  checkMissing(query, sent.query, '/query', details)
  checkMissing(cookie, sent.cookies, '/cookies', details)
  checkMissing(inLowerCase(header), sent.headers, '/headers', details)
  return sent
}

function isEmpty(rows: Rows): boolean {
  for (const _ in rows) return false
  return true
}

const lowerCased = new WeakMap<Rows, Rows>()

/** Returns rows by the lower-case names of header fields. */
export function inLowerCase(rows: Rows): Rows {
  let made = lowerCased.get(rows)
  if (made === undefined) {
    const entries = Object.entries(rows)
    made = Object.fromEntries(entries.map(([name, row]) => [name.toLowerCase(), row]))
    lowerCased.set(rows, made)
  }
  return made
}

// The validator fills in the default of a parameter that is required; others are left to the schema.
function checkMissing(rows: Rows, sent: object, pointer: string, details: Detail[]): void {
  for (const name in rows) {
    const row = rows[name]
    if (row?.required !== true || row.default === undefined || Object.hasOwn(sent, name)) continue
    details.push({ path: `${pointer}/${escapeToken(name)}`, message: 'is missing' })
  }
}

const malformedEscape = 'must be percent-encoded UTF-8'

/** Decodes percent-encoded UTF-8; returns undefined if it is malformed. */
export function decode(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function readPath({ params }: Request, rawPath: string, rows: Rows, details: Detail[]) {
  // `requestContext` has encoded the percent signs of a path that cannot be decoded.
  const isEncoded = decode(rawPath) === undefined
  const sent: Record<string, string> = {}
  for (const name in rows) {
    const text = String(params[name] ?? '')
    const value = isEncoded ? decode(text) : text
    const path = `/path/${escapeToken(name)}`
    if (value === undefined) details.push({ path, message: malformedEscape })
    else checkTexts(rows[name], 'path', path, [value], details)
    sent[name] = value ?? text
  }
  return sent
}

function readQuery(raw: string, rows: Rows, details: Detail[]): SentParameters['query'] {
  const sent: SentParameters['query'] = {}
  for (const [name, values] of splitQuery(raw, rows, details)) {
    const path = `/query/${escapeToken(name)}`
    const isArray = values.length > 1 && !isRepeated(rows[name], path, values, details)
    checkTexts(rows[name], 'query', path, values, details)
    // The validator stops at the first empty value and would miss the other errors.
    const [first = ''] = values
    if (first !== '') sent[name] = isArray ? values : first
  }
  return sent
}

/** Splits a query into values by name; only names that are declared. */
function splitQuery(raw: string, rows: Rows, details: Detail[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const pair of raw.split('&')) {
    if (pair === '') continue
    const [rawName = '', ...rest] = pair.split('=')
    const name = decode(rawName.replaceAll('+', ' '))
    const value = decode(rest.join('=').replaceAll('+', ' '))
    const path = `/query/${escapeToken(name ?? rawName)}`
    if (name === undefined || value === undefined) details.push({ path, message: malformedEscape })
    else if (!isDeclared(rows, name)) {
      details.push({ path, message: 'is not a parameter of this operation' })
    } else {
      const values = found.get(name)
      if (values === undefined) found.set(name, [value])
      else values.push(value)
    }
  }
  return found
}

// `deepObject` parameters have names such as `filter[colour]`.
function isDeclared(rows: Rows, name: string): boolean {
  if (Object.hasOwn(rows, name)) return true
  const base = name.slice(0, Math.max(0, name.indexOf('[')))
  return Object.hasOwn(rows, base) && rows[base]?.style === 'deepObject'
}

/** Returns whether a parameter that has one value was repeated, and reports that. */
function isRepeated(
  row: Parameter | undefined,
  path: string,
  values: readonly string[],
  details: Detail[],
): boolean {
  if (values.length === 1 || row?.type === 'array') return false
  details.push({ path, message: `must be given once, not ${values.length} times` })
  return true
}

function readHeaders(all: NodeJS.Dict<string[]>, rows: Rows, details: Detail[]) {
  const sent: Record<string, string> = {}
  for (const [name, row] of Object.entries(inLowerCase(rows))) {
    const values = all[name]
    if (values === undefined) continue
    const path = `/headers/${name}`
    if (!isRepeated(row, path, values, details)) {
      checkTexts(row, 'header', path, values, details)
    }
    sent[name] = values.join(', ')
  }
  return sent
}

// RFC 6265, section 5.4: pairs in one field, separated by semicolons.
function readCookies(fields: readonly string[] = [], rows: Rows, details: Detail[]) {
  const sent: Record<string, string> = {}
  for (const pair of fields.join(';').split(';')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, Math.max(0, at)).trim()
    if (!Object.hasOwn(rows, name)) continue
    const value = pair.slice(at + 1).trim()
    const message = Object.hasOwn(sent, name)
      ? 'must be given once'
      : lexicalError(rows[name], value)
    if (message !== undefined) details.push({ path: `/cookies/${escapeToken(name)}`, message })
    sent[name] = value
  }
  return sent
}

/** Reports what is wrong with the texts of a parameter, and with the items of one that is an array. */
function checkTexts(
  row: Parameter | undefined,
  place: ParameterPlace,
  path: string,
  texts: readonly string[],
  details: Detail[],
): void {
  const message = texts.map((text) => lexicalError(row, text)).find(Boolean)
  if (message !== undefined) details.push({ path, message })
  if (row?.type !== 'array' || typeof row.items !== 'string') return
  const isJoined = place !== 'query' || row.explode === false
  const items = isJoined ? texts.flatMap((text) => text.split(',')) : texts
  for (const [index, item] of items.entries()) {
    // The validator rejects what is not a number, and converts 0x10 to one.
    if (item === '' || Number.isNaN(Number(item))) continue
    const text = place === 'header' ? item.trim() : item
    const error = lexicalError({ required: false, type: row.items }, text)
    if (error !== undefined) details.push({ path: `${path}/${index}`, message: error })
  }
}

const plainInteger = /^-?[0-9]+$/
const plainNumber = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

/**
 * Returns what is wrong with the text of a value before a schema is applied: numbers are plain decimal
 * digits, while the validator converts `0x10`, `1e1`, `+5` and ` 10` to numbers, too.
 */
export function lexicalError(row: Parameter | undefined, value: string): string | undefined {
  if (value === '') return 'must not be empty'
  if (row?.type === 'integer' && !plainInteger.test(value)) {
    return 'must be an integer in plain decimal digits'
  }
  if (row?.type === 'number' && !plainNumber.test(value)) return 'must be a number'
  const isNumber = row?.type === 'integer' || row?.type === 'number'
  // Enough digits make an infinity, which is within any limit.
  if (isNumber && !Number.isFinite(Number(value))) return 'must not be beyond double precision'
  return undefined
}
