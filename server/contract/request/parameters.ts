import type { Request } from 'express'
import { escapeToken } from '../description.ts'
import type { Detail } from '../errors.ts'
import type { Operation, Parameter, ParameterPlace } from '../operation.ts'
import type { RequestContext } from '../request-context.ts'
import { decode, lexicalFault, malformedEscape } from './parameter-text.ts'

/** Parameter values as text, and what is wrong with them before any schema is asked. */
export interface ReadParameters {
  readonly path: Record<string, string>
  readonly query: Record<string, string | string[]>
  readonly headers: Record<string, string>
  readonly cookies: Record<string, string>
  readonly details: readonly Detail[]
}

/**
 * Reads path, query, header and cookie parameters as they were sent: percent-decoded as UTF-8, names
 * declared, single values single, numbers in plain decimal digits. Schemas are not applied yet.
 */
export function readParameters(
  operation: Operation,
  request: Request,
  { path: rawPath, rawQuery }: Pick<RequestContext, 'path' | 'rawQuery'>,
): ReadParameters {
  const details: Detail[] = []
  const { path, query, header, cookie } = operation.parameters
  const sent = {
    path: hasRows(path) ? readPath(request, rawPath, path, details) : {},
    query: rawQuery === '' ? {} : readQuery(rawQuery, query, details),
    // `headersDistinct` sorts all fields of a request.
    headers: hasRows(header) ? readHeaders(request.headersDistinct, header, details) : {},
    cookies: hasRows(cookie) ? readCookies(request.headersDistinct['cookie'], cookie, details) : {},
    details,
  }
  checkMissing(query, sent.query, '/query', details)
  checkMissing(cookie, sent.cookies, '/cookies', details)
  checkMissing(inLowerCase(header), sent.headers, '/headers', details)
  return sent
}

// The validator fills in the default of a parameter that is required; others are left to the schema.
function checkMissing(rows: Rows, sent: object, pointer: string, details: Detail[]): void {
  for (const name in rows) {
    const row = rows[name]
    if (row?.required !== true || row.default === undefined || Object.hasOwn(sent, name)) continue
    details.push({ path: `${pointer}/${escapeToken(name)}`, message: 'is missing' })
  }
}

/** Rows of the parameters table, by name. */
export type Rows = Readonly<Record<string, Parameter>>

const lowerCased = new WeakMap<Rows, Rows>()

/** Returns rows by the lower-case names of header fields. */
export function inLowerCase(rows: Rows): Rows {
  const known = lowerCased.get(rows)
  if (known !== undefined) return known
  const entries = Object.entries(rows).map(([name, row]) => [name.toLowerCase(), row] as const)
  const made = Object.fromEntries(entries)
  lowerCased.set(rows, made)
  return made
}

/** Whether an operation has parameters in a place. */
function hasRows(rows: Rows): boolean {
  for (const _ in rows) return true
  return false
}

function readPath({ params }: Request, rawPath: string, rows: Rows, details: Detail[]) {
  // `requestContext` has encoded the percent signs of a path that cannot be decoded.
  const isEncoded = decode(rawPath) === undefined
  const decoded: Record<string, string> = {}
  for (const name in rows) {
    const text = String(params[name] ?? '')
    const value = isEncoded ? decode(text) : text
    const pointer = `/path/${escapeToken(name)}`
    if (value === undefined) details.push({ path: pointer, message: malformedEscape })
    else checkTexts(rows[name], 'path', pointer, [value], details)
    decoded[name] = value ?? text
  }
  return decoded
}

function readQuery(raw: string, rows: Rows, details: Detail[]): ReadParameters['query'] {
  const found = new Map<string, string[]>()
  for (const pair of raw.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const rawName = at === -1 ? pair : pair.slice(0, at)
    const name = decode(rawName.replaceAll('+', ' '))
    const value = at === -1 ? '' : decode(pair.slice(at + 1).replaceAll('+', ' '))
    if (name === undefined || value === undefined) {
      details.push({ path: `/query/${escapeToken(name ?? rawName)}`, message: malformedEscape })
    } else if (!isDeclared(rows, name)) {
      details.push({
        path: `/query/${escapeToken(name)}`,
        message: 'is not a parameter of this operation',
      })
    } else {
      const values = found.get(name)
      if (values === undefined) found.set(name, [value])
      else values.push(value)
    }
  }
  const query: ReadParameters['query'] = {}
  for (const [name, values] of found) {
    const row = rows[name]
    const pointer = `/query/${escapeToken(name)}`
    if (values.length > 1 && !mayRepeat(row)) {
      details.push({ path: pointer, message: `must be given once, not ${values.length} times` })
    }
    checkTexts(row, 'query', pointer, values, details)
    // The validator stops at the first empty value; without it, it goes on to the other faults.
    const [first = ''] = values
    if (first !== '') query[name] = values.length > 1 && mayRepeat(row) ? values : first
  }
  return query
}

function readHeaders(
  sent: NodeJS.Dict<string[]>,
  rows: Rows,
  details: Detail[],
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, row] of Object.entries(rows)) {
    const field = name.toLowerCase()
    const values = sent[field]
    if (values === undefined) continue
    const pointer = `/headers/${field}`
    if (values.length > 1 && !mayRepeat(row)) {
      details.push({ path: pointer, message: `must be given once, not ${values.length} times` })
    } else checkTexts(row, 'header', pointer, values, details)
    headers[field] = values.join(', ')
  }
  return headers
}

// RFC 6265, section 5.4: pairs in one field, apart by semicolons. Those not declared are not ours.
function readCookies(fields: readonly string[] = [], rows: Rows, details: Detail[]) {
  const cookies: Record<string, string> = {}
  for (const pair of fields.join(';').split(';')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, Math.max(0, at)).trim()
    if (!Object.hasOwn(rows, name)) continue
    const value = pair.slice(at + 1).trim()
    const fault = Object.hasOwn(cookies, name)
      ? 'must be given once'
      : lexicalFault(rows[name], value)
    if (fault !== undefined) details.push({ path: `/cookies/${escapeToken(name)}`, message: fault })
    cookies[name] = value
  }
  return cookies
}

// `deepObject` parameters appear under names such as `filter[colour]`.
function isDeclared(rows: Rows, name: string): boolean {
  if (Object.hasOwn(rows, name)) return true
  const base = name.slice(0, Math.max(0, name.indexOf('[')))
  return Object.hasOwn(rows, base) && rows[base]?.style === 'deepObject'
}

/** Adds what is wrong with the texts of a parameter, or with an item of one that is an array. */
function checkTexts(
  row: Parameter | undefined,
  place: ParameterPlace,
  pointer: string,
  texts: readonly string[],
  details: Detail[],
): void {
  const fault = texts.map((text) => lexicalFault(row, text)).find(Boolean)
  if (fault !== undefined) details.push({ path: pointer, message: fault })
  if (row?.type !== 'array' || typeof row.items !== 'string') return
  const isJoined = place !== 'query' || row.explode === false
  const items = isJoined ? texts.flatMap((text) => text.split(',')) : texts
  for (const [index, item] of items.entries()) {
    // The validator rejects what is no number, and converts 0x10 to one.
    if (item === '' || Number.isNaN(Number(item))) continue
    const text = place === 'header' ? item.trim() : item
    const message = lexicalFault({ required: false, type: row.items }, text)
    if (message !== undefined) details.push({ path: `${pointer}/${index}`, message })
  }
}

function mayRepeat(row: Parameter | undefined): boolean {
  return row?.type === 'array'
}
