import type { Request } from 'express'
import type { RequestSettings } from '../description/settings.ts'
import type { Detail } from './errors.ts'
import { LargeIntegers } from './large-integers.ts'
import type { Operation } from './operation.ts'
import {
  type LocationRows,
  pathOf,
  type ReadParameter,
  readRows,
  type ValueLocation,
} from './parameter-rows.ts'
import { splitPair } from './parameter-style.ts'
import {
  type Fits,
  type MessageReading,
  type Reading,
  type Report,
  readValue,
  type SentParameter,
} from './parameter-value.ts'
import { createPathReader } from './path-template.ts'
import { decode } from './percent-encoding.ts'

type Values = Record<string, unknown>

/** The parameters of a request by location and name, as the description writes it. */
export interface ParametersByLocation<Each> {
  readonly path: Each
  readonly query: Each
  readonly headers: Each
  readonly cookies: Each
}

/** The values of a request. */
export interface RequestValues extends ParametersByLocation<Values> {
  /** The media type of the body: that which is declared, or that which was sent for a range; undefined without a body. */
  readonly mediaType: string | undefined
  readonly body: unknown
}

/**
 * The values of the parameters of a request, with the defaults of those that were not sent, and their violations
 * before a schema is applied.
 */
export interface SentParameters extends ParametersByLocation<Values> {
  readonly details: readonly Detail[]
  /** Numbers that would be rounded; where a schema finds an error, that is reported instead. */
  readonly rounded: readonly Detail[]
  /** Integers that double precision may not hold; undefined where those are violations. */
  readonly large: LargeIntegers | undefined
  /** The exact texts of such integers by their JSON Pointers, once they are known. */
  readonly exact?: ReadonlyMap<string, string>
  /** How many query parameters are of no name that is declared, and were ignored. */
  readonly ignored: number
}

/** How strict the service is with parameters. */
type ParameterSettings = Pick<
  Required<RequestSettings>,
  'unknownQueryParameters' | 'repeatedParameters' | 'largeIntegers'
>

/** The path and the query of a request as they were sent, still percent-encoded. */
interface RawTarget {
  readonly path: string
  readonly rawQuery: string
}

/** A parameter as it was sent, still encoded; its name is undefined if it cannot be decoded. */
export interface Pair {
  readonly name: string | undefined
  readonly text: string
  readonly rawName: string
}

/**
 * Returns a function that decodes the parameters of a request, and reports what no schema finds: the schemas see
 * values.
 */
export function createParameterReader(
  operation: Operation,
  fits: Fits,
  { unknownQueryParameters, repeatedParameters, largeIntegers }: ParameterSettings,
) {
  const isUnknownIgnored = unknownQueryParameters === 'ignore'
  const path = readRows(operation, 'path')
  const query = readRows(operation, 'query')
  const header = readRows(operation, 'header')
  const cookie = readRows(operation, 'cookie')
  const pathPairs = createPathPairs(operation.path, path)

  return function readParameters(
    request: Request,
    { path: rawPath, rawQuery }: RawTarget,
  ): SentParameters {
    const details: Detail[] = []
    const rounded: Detail[] = []
    const large = largeIntegers === 'accept' ? new LargeIntegers() : undefined
    const reading = { details, rounded, large, fits, repeatedParameters }
    const read = (rows: LocationRows, pairs: readonly Pair[]) => readLocation(rows, pairs, reading)
    const sentPairs = queryPairs(rawQuery)
    const keptPairs = isUnknownIgnored
      ? sentPairs.filter(({ name }) => isKnown(query, name))
      : sentPairs
    return {
      path: read(path, pathPairs(request, rawPath)),
      query: read(query, keptPairs),
      headers: read(header, headerPairs(request, header)),
      cookies: read(cookie, cookiePairs(request, cookie)),
      details,
      rounded,
      large,
      ignored: sentPairs.length - keptPairs.length,
    }
  }
}

/** Returns whether a name is that of a parameter, or of a member of one. */
export function isKnown(rows: LocationRows, name: string | undefined): boolean {
  return name !== undefined && findTarget(rows, name) !== undefined
}

/** Returns a function that finds the parameters of a path, still encoded: an encoded separator is data. */
function createPathPairs(template: string, { parameters }: LocationRows) {
  const readPath = createPathReader(template)

  return function pathPairs({ params }: Request, rawPath: string): Pair[] {
    const texts = parameters.length === 0 ? undefined : readPath(rawPath)
    return parameters.map(({ name }) => {
      const text = texts?.get(name) ?? encodeURIComponent(String(params[name] ?? ''))
      return { name, text, rawName: name }
    })
  }
}

/** Returns the parameters of a query as they were sent, with decoded names. */
export function queryPairs(rawQuery: string): Pair[] {
  const pairs: Pair[] = []
  for (const pair of rawQuery.split('&')) {
    if (pair === '') {
      continue
    }

    const at = pair.indexOf('=')
    const rawName = at === -1 ? pair : pair.slice(0, at)
    const text = at === -1 ? '' : pair.slice(at + 1)
    pairs.push({ name: decodeQuery(rawName), text, rawName })
  }
  return pairs
}

/** Decodes a text of a query, in which, as in a form, a plus is a space; undefined if it is malformed. */
export function decodeQuery(text: string): string | undefined {
  return decode(text.replaceAll('+', ' '))
}

function headerPairs({ headersDistinct }: Request, { parameters }: LocationRows): Pair[] {
  return parameters.flatMap(({ name, kind }) => {
    const fields = headersDistinct[name.toLowerCase()] ?? []
    const isList = kind !== 'text' && kind !== 'json' && fields.length > 1
    // A list may be in several fields (RFC 9110, section 5.3).
    const texts = isList ? [fields.join(',')] : fields
    return texts.map((text): Pair => ({ name, text, rawName: name }))
  })
}

function cookiePairs({ headers }: Request, rows: LocationRows): Pair[] {
  const { byName, byMember, parameters } = rows
  if (parameters.length === 0) {
    return []
  }

  const isOwnCookie = (name: string) => byName.has(name) || byMember.has(name)
  const pairs = readCookies(headers.cookie).flatMap(([name, text]) => {
    return splitCookie(name, text, isOwnCookie)
  })
  // A client has cookies of others, too.
  return pairs.filter(({ name = '' }) => isOwnCookie(name))
}

/** Splits a cookie with several items or members, which OpenAPI writes as in a query: `id=3&id=4`. */
function splitCookie(name: string, text: string, isOwnCookie: (name: string) => boolean): Pair[] {
  const [firstText = '', ...parts] = text.split('&')
  const pairs: Pair[] = [{ name, text: firstText, rawName: name }]
  for (const part of parts) {
    const [nextName = '', nextText = ''] = splitPair(part) ?? []
    const last = pairs.pop()
    if (isOwnCookie(nextName)) {
      const next = { name: nextName, text: nextText, rawName: nextName }
      pairs.push(...(last ? [last] : []), next)
    } else if (last !== undefined) {
      pairs.push({ ...last, text: `${last.text}&${part}` })
    }
  }
  return pairs
}

/** Returns the names and values in a `Cookie` header: pairs, separated by semicolons (RFC 6265, section 5.4). */
export function readCookies(field = ''): (readonly [name: string, value: string])[] {
  return field.split(';').map((pair) => {
    const [name = '', ...rest] = pair.split('=')
    return [name.trim(), rest.join('=').trim()] as const
  })
}

/** Returns the values of the parameters of a location, with the defaults of those that were not sent. */
export function readLocation(
  rows: LocationRows,
  pairs: readonly Pair[],
  message: MessageReading,
): Values {
  const { location, parameters, hasInheritedName } = rows
  // Most operations have parameters in one or two locations.
  const isEmpty = parameters.length === 0 && pairs.length === 0
  if (isEmpty) {
    return {}
  }

  const reportTo = (list: Detail[]): Report => {
    return (name, message, part = '') => {
      list.push({ path: pathOf(location, name, part), message })
    }
  }
  const { details, rounded, large, fits, repeatedParameters } = message
  const reading: Reading = {
    decode: (text) => decodeText(rows, text) ?? text,
    report: reportTo(details),
    reportRounded: reportTo(rounded),
    noteLarge(name, text, part) {
      large?.texts.push({ location, name, part, path: pathOf(location, name, part), text })
    },
    large,
    fits,
    repeatedParameters,
  }
  const sentByParameter = groupByParameter(rows, pairs, reading.report)

  // A handler must not find what objects inherit in place of a parameter that was not sent.
  const values: Values = hasInheritedName ? Object.create(null) : {}
  for (const [parameter, sentParameter] of sentByParameter) {
    const value = readValue(parameter, sentParameter, reading)
    if (value !== undefined) {
      values[parameter.name] = value
    }
  }
  for (const { name, row } of parameters) {
    const isFilledIn = values[name] === undefined && row.default !== undefined && !row.required
    if (isFilledIn) {
      values[name] = copyDefault(row.default)
    }
  }
  return values
}

// A handler may change what it gets.
function copyDefault(value: unknown): unknown {
  return typeof value === 'object' ? structuredClone(value) : value
}

/** How the texts of a location are encoded. */
const decoders: Readonly<Record<ValueLocation, (text: string) => string | undefined>> = {
  path: decode,
  query: decodeQuery,
  header: (text) => text,
  // Many clients do not encode cookies.
  cookie: (text) => decode(text) ?? text,
  form: decodeQuery,
  multipart: (text) => text,
}

/** Decodes a text of a location; undefined if it is malformed. */
export function decodeText({ location }: LocationRows, text: string): string | undefined {
  return decoders[location](text)
}

/** Returns what was sent of each parameter; reports what is malformed, and names that no parameter has. */
function groupByParameter(
  rows: LocationRows,
  pairs: readonly Pair[],
  report: Report,
): Map<ReadParameter, SentParameter> {
  const sentByParameter = new Map<ReadParameter, SentParameter>()
  for (const { name, text, rawName } of pairs) {
    if (name === undefined || decodeText(rows, text) === undefined) {
      report(name ?? rawName, 'must be percent-encoded UTF-8')
      continue
    }

    const target = findTarget(rows, name)
    if (target === undefined) {
      report(name, 'is not a parameter of this operation')
    } else {
      addSent(sentByParameter, target, text)
    }
  }
  return sentByParameter
}

/** A parameter that a sent name is about, and the keys of its member, if it is about one. */
interface Target {
  readonly parameter: ReadParameter
  readonly keys?: readonly string[]
}

function findTarget(rows: LocationRows, name: string): Target | undefined {
  const whole = rows.byName.get(name)
  if (whole !== undefined) {
    return { parameter: whole }
  }

  const ofMember = rows.byMember.get(name)
  if (ofMember !== undefined) {
    return { parameter: ofMember, keys: [name] }
  }
  return findDeepTarget(rows, name) ?? (rows.open && { parameter: rows.open, keys: [name] })
}

/** Finds the object of which a name such as `filter[from]` is a member. */
function findDeepTarget({ deep }: LocationRows, name: string): Target | undefined {
  if (deep.size === 0) {
    return undefined
  }
  for (const parameter of deep.values()) {
    const rest = name.startsWith(parameter.name) ? name.slice(parameter.name.length) : ''
    if (/^(?:\[[^[\]]*\])+$/.test(rest)) {
      const keys = rest.slice(1, -1).split('][')
      // Some clients mark the items of a list: `filter[id][]=1`.
      const isItem = keys.at(-1) === '' && keys.length > 1
      return { parameter, keys: isItem ? keys.slice(0, -1) : keys }
    }
  }
  return undefined
}

function addSent(
  sentByParameter: Map<ReadParameter, SentParameter>,
  { parameter, keys }: Target,
  text: string,
): void {
  let sentParameter = sentByParameter.get(parameter)
  if (sentParameter === undefined) {
    sentParameter = { texts: [], members: [] }
    sentByParameter.set(parameter, sentParameter)
  }
  if (keys === undefined) {
    sentParameter.texts.push(text)
  } else {
    sentParameter.members.push({ keys, text })
  }
}
