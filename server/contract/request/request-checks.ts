import type { Request } from 'express'
import { invalidRequest } from '../answer/error-reply.ts'
import { type Detail, Refusal } from '../answer/refusal.ts'
import { escapeToken, isObject } from '../description/description.ts'
import type { Operation } from '../description/operation.ts'
import type { Exchange } from '../exchange.ts'
import type { OpenApiChecks, RequestValues } from '../validator/openapi-validator.ts'
import { readParameters } from './parameters.ts'
import type { PathValues } from './route-table.ts'

/** A request whose operation is known and whose body is read. */
export interface ReadRequest {
  readonly operation: Operation
  readonly pathValues: PathValues
  readonly mediaType: string | undefined
  readonly body: unknown
}

/** Checks a request against its operation and gives its values, or refuses it with every fault. */
export async function checkRequest(
  checks: OpenApiChecks,
  request: Request,
  exchange: Exchange,
  { operation, pathValues, mediaType, body }: ReadRequest,
): Promise<RequestValues> {
  const { rawQuery, path, callerId } = exchange
  const headers = request.headersDistinct
  const sent = readParameters(operation, { pathValues, rawQuery, headers })
  const details = [...sent.details, ...bodyFaults(operation, body)]
  const credential = request.headers.authorization
  const parts = {
    path,
    query: sent.query,
    headers:
      credential === undefined ? sent.headers : { ...sent.headers, authorization: credential },
    cookies: sent.cookies,
    mediaType,
    body,
    authenticated: callerId !== undefined,
  }
  try {
    const values = await checks.request(parts)
    if (details.length === 0) return { ...values, headers: declaredHeaders(operation, values) }
  } catch (error) {
    const known = new Set(details.map((detail) => detail.path))
    details.push(...toDetails(error, body).filter((detail) => !known.has(detail.path)))
  }
  throw invalidRequest(details)
}

function bodyFaults({ requestBody }: Operation, body: unknown): Detail[] {
  const isMissing = requestBody?.required === true && body === undefined
  return isMissing ? [{ path: '/body', message: 'is missing' }] : []
}

// Header names are case-insensitive on the wire; handlers know them as the contract spells them.
function declaredHeaders(operation: Operation, { headers }: RequestValues) {
  const names = Object.keys(operation.parameters.header)
  const fields = names.map((name) => [name, headers[name.toLowerCase()]])
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

const places: Readonly<Record<string, string>> = {
  body: '/body',
  query: '/query',
  params: '/path',
  headers: '/headers',
  cookies: '/cookies',
}

function toDetails(error: unknown, body: unknown): Detail[] {
  const { status, errors } = isObject(error) ? error : {}
  if (status === 401 || status === 403) {
    throw new Refusal({ status: 401, code: 'invalid_api_key' }, 'The API key is not valid.')
  }
  if (status !== 400 || !Array.isArray(errors)) throw error
  return errors.filter(isObject).flatMap(({ path, message, errorCode }) => {
    const [, field = '', ...rest] = String(path).split('/')
    const place = places[field]
    if (place === undefined) return []
    const isExtra = /^(?:unevaluated|additional)Properties\./.test(String(errorCode))
    if (field !== 'body' || !isExtra)
      return [{ path: [place, ...rest].join('/'), message: String(message) }]
    return [{ path: place + extraPointer(body, rest.join('/')), message: 'is not a known field' }]
  })
}

// The validator appends the name of an unknown field as it was sent; as a JSON Pointer it has to
// be escaped. The body tells where the pointer ends and the name begins.
function extraPointer(node: unknown, rest: string): string {
  if (Array.isArray(node)) {
    const [index = '', ...deeper] = rest.split('/')
    return `/${index}${extraPointer(node[Number(index)], deeper.join('/'))}`
  }
  if (!isObject(node)) return `/${escapeToken(rest)}`
  if (Object.hasOwn(node, rest)) return `/${escapeToken(rest)}`
  for (const [name, value] of Object.entries(node)) {
    const token = escapeToken(name)
    if (rest.startsWith(`${token}/`)) {
      return `/${token}${extraPointer(value, rest.slice(token.length + 1))}`
    }
  }
  return `/${escapeToken(rest)}`
}
