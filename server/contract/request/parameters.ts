import type { IncomingMessage } from 'node:http'
import type { Detail } from '../answer/refusal.ts'
import { escapeToken } from '../description/description.ts'
import type { Operation, Parameter } from '../description/operation.ts'
import { decode, lexicalFault, malformedEscape } from './parameter-text.ts'
import type { PathValues } from './route-table.ts'

/** Parameter values as text, and what is wrong with them before any schema is asked. */
export interface ReadParameters {
  readonly path: Record<string, string>
  readonly query: Record<string, string | string[]>
  readonly headers: Record<string, string>
  readonly cookies: Record<string, string>
  readonly details: readonly Detail[]
}

type Fields = Pick<IncomingMessage, 'headersDistinct'>

/**
 * Reads path, query and header parameters from the wire: percent-decoded as UTF-8, names known,
 * single values single, numbers in plain decimal digits. Schemas are the validator's business.
 */
export function readParameters(
  operation: Operation,
  pathValues: PathValues,
  rawQuery: string,
  fields: Fields,
): ReadParameters {
  const details: Detail[] = []
  const { path, query, header, cookie } = operation.parameters
  return {
    path: readPath(pathValues, path, details),
    query: rawQuery === '' ? {} : readQuery(rawQuery, query, details),
    // To sort the fields of a request is left out where nobody asks for one.
    headers: hasRows(header) ? readHeaders(fields.headersDistinct, header, details) : {},
    cookies: hasRows(cookie) ? readCookies(fields.headersDistinct['cookie'], cookie, details) : {},
    details,
  }
}

type Rows = Readonly<Record<string, Parameter>>

/** Whether an operation has parameters in a place. */
export function hasRows(rows: Rows): boolean {
  for (const _ in rows) return true
  return false
}

function readPath(values: PathValues, rows: Rows, details: Detail[]): Record<string, string> {
  const decoded: Record<string, string> = {}
  for (const name in values) {
    const raw = values[name] ?? ''
    const value = decode(raw)
    const fault = value === undefined ? malformedEscape : lexicalFault(rows[name], value)
    if (fault !== undefined) details.push({ path: `/path/${escapeToken(name)}`, message: fault })
    decoded[name] = value ?? raw
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
    if (values.length > 1 && !mayRepeat(row)) {
      details.push({
        path: `/query/${escapeToken(name)}`,
        message: `must be given once, not ${values.length} times`,
      })
    }
    const fault = values.map((value) => lexicalFault(row, value)).find(Boolean)
    if (fault !== undefined) details.push({ path: `/query/${escapeToken(name)}`, message: fault })
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
    const fault =
      values.length > 1 && !mayRepeat(row)
        ? `must be given once, not ${values.length} times`
        : values.map((value) => lexicalFault(row, value)).find(Boolean)
    if (fault !== undefined) details.push({ path: `/headers/${field}`, message: fault })
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

function mayRepeat(row: Parameter | undefined): boolean {
  return row?.type === 'array'
}
