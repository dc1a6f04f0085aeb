import type { Request } from 'express'
import { invalidRequest } from '../answer/error-reply.ts'
import type { Detail } from '../answer/refusal.ts'
import type { Operation } from '../description/operation.ts'
import type { Exchange } from '../exchange.ts'
import type { OpenApiChecks, RequestValues } from '../validator/openapi-validator.ts'
import { boundEcho, withoutTwins } from './echo.ts'
import { readParameters } from './parameters.ts'
import type { PathValues } from './route-table.ts'
import { toDetails } from './validator-faults.ts'

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
  const faults = withoutTwins(details)
  throw invalidRequest(boundEcho(faults, body, knownNames(checks, operation)), faults.length)
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

/** What the contract calls fields and parameters; the names of header fields are in lower case. */
export function knownNames(
  checks: OpenApiChecks,
  { parameters }: Operation,
): (name: string) => boolean {
  const names = Object.values(parameters).flatMap((rows) => Object.keys(rows))
  const known = new Set([...names, ...Object.keys(parameters.header).map((n) => n.toLowerCase())])
  return (name) => known.has(name) || checks.fieldNames.has(name)
}
