import { invalidRequest } from '../answer/error-reply.ts'
import type { Detail } from '../answer/refusal.ts'
import type { Authority } from '../authority.ts'
import { isPublic, type Operation } from '../description/operation.ts'
import type { Exchange, Request } from '../exchange.ts'
import { plainValues } from '../plain/plain-request.ts'
import type { Validators } from '../plain/validators.ts'
import type { OpenApiChecks, RequestValues } from '../validator/openapi-validator.ts'
import { boundEcho, withoutTwins } from './echo.ts'
import { hasRows, type ReadParameters, readParameters } from './parameters.ts'
import type { PathValues } from './route-table.ts'
import { toDetails } from './validator-faults.ts'

/** A request whose operation is known and whose body is read. */
export interface ReadRequest {
  readonly operation: Operation
  readonly pathValues: PathValues
  readonly mediaType: string | undefined
  readonly body: unknown
}

/**
 * Gives the values of a request that keeps its operation, at once where that is certain, or refuses
 * it with every fault.
 */
export type RequestChecks = (
  request: Request,
  exchange: Exchange,
  read: ReadRequest,
) => RequestValues | Promise<RequestValues>

/** Makes the checks of requests: what is in doubt is for express-openapi-validator to decide. */
export function createRequestChecks(authority: Authority, validators?: Validators): RequestChecks {
  return function check(request, exchange, read) {
    const { operation, pathValues, body } = read
    const sent = readParameters(operation, pathValues, exchange.rawQuery, request)
    const isLetIn = exchange.callerId !== undefined || isPublic(operation)
    const plain =
      validators !== undefined && isLetIn
        ? plainValues(validators, operation, sent, body)
        : undefined
    if (plain !== undefined) return asDescribed(operation, plain)
    return decide(authority, request, exchange, read, sent)
  }
}

/** The same values, with header names as the contract spells them. */
function asDescribed(operation: Operation, values: RequestValues): RequestValues {
  const isAny = hasRows(operation.parameters.header)
  return { ...values, headers: isAny ? declaredHeaders(operation, values) : {} }
}

async function decide(
  authority: Authority,
  { headers: { authorization } }: Request,
  { path, callerId }: Exchange,
  { operation, mediaType, body }: ReadRequest,
  sent: ReadParameters,
): Promise<RequestValues> {
  const checks = await authority.checksOf(operation)
  const details = [...sent.details, ...bodyFaults(operation, body)]
  const parts = {
    path,
    query: sent.query,
    headers: authorization === undefined ? sent.headers : { ...sent.headers, authorization },
    cookies: sent.cookies,
    mediaType,
    body,
    authenticated: callerId !== undefined,
  }
  try {
    const values = await checks.request(parts)
    if (details.length === 0) return asDescribed(operation, values)
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
