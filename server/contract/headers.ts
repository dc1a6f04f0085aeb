import type { components } from '../../generated/openapi.d.ts'
import type { HeaderValue } from './header-value.ts'
import type { Operation } from './operation.ts'
import { fillPath, parameterNamesIn } from './path-template.ts'
import { encodePath } from './percent-encoding.ts'

/** Header fields of a response; `undefined` means absent. */
export type ResponseHeaders = Record<string, HeaderValue | undefined>

/**
 * The headers that the service itself adds to responses, so that no handler has to. The type ties each
 * to a header component of the description: renaming one there fails here.
 */
type ServiceHeader = Extract<keyof components['headers'], (typeof serviceHeaders)[number]>

/** The headers that are absent when rate limits are off. */
export const limitHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const satisfies readonly (keyof components['headers'])[]

/** The same headers by name; a description need not have all of them. */
export const serviceHeaders = [
  'Cache-Control',
  'Deprecation',
  'Sunset',
  'X-Content-Type-Options',
  'X-Request-Id',
  ...limitHeaders,
] as const

/** The headers that have one value on every response. */
export const securityHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const satisfies Partial<Record<ServiceHeader, string>>

/** The headers by which clients of a mock choose a response (RFC 7240). Only the description of a mock declares them. */
export const preferHeaders = { request: 'Prefer', response: 'Preference-Applied' }

/**
 * Returns the headers on every response of a deprecated operation but its `Link`: `Deprecation` (RFC 9745)
 * and `Sunset` (RFC 8594).
 */
export function deprecationHeaders({ deprecation }: Operation): ResponseHeaders {
  const { since, sunset } = deprecation ?? {}
  const headers: ResponseHeaders = {}
  if (since !== undefined) {
    headers['Deprecation'] = `@${Date.parse(since) / 1000}`
  }
  if (sunset !== undefined) {
    headers['Sunset'] = new Date(sunset).toUTCString()
  }
  return headers
}

/**
 * Returns a function that writes the `Link` to the successor of a deprecated operation (RFC 5829), with the
 * path parameters of a request; undefined if the operation has no successor, or none that can be reached
 * with these parameters.
 */
export function createSuccessorLink(
  operation: Operation,
  operations: Readonly<Record<string, Operation>>,
  basePath: string,
): ((parameters: Readonly<Record<string, unknown>>) => string) | undefined {
  const { replacedBy } = operation.deprecation ?? {}
  if (replacedBy === undefined) {
    return undefined
  }
  const { url } = replacedBy
  if (url !== undefined) {
    return () => toLink(url)
  }
  const template = operations[replacedBy.operationId]?.path
  if (template === undefined) {
    return undefined
  }
  const namesInPath = parameterNamesIn(operation.path)
  const canBeFilled = parameterNamesIn(template).every((name) => namesInPath.includes(name))
  if (!canBeFilled) {
    return undefined
  }
  return (parameters) => toLink(encodePath(basePath + fillPath(template, parameters)))
}

function toLink(target: string): string {
  return `<${target}>; rel="successor-version"`
}

/**
 * Returns the headers of the service and those of a response, which win. Link is a list (RFC 8288): the links
 * of both are sent.
 */
export function mergeHeaders(
  service: ResponseHeaders,
  response: Readonly<ResponseHeaders> | undefined,
): ResponseHeaders {
  if (response === undefined) {
    return service
  }
  const merged = { ...service, ...response }
  const ofHandler = response['Link']
  const ofService = service['Link']
  if (ofHandler !== undefined && ofService !== undefined) {
    merged['Link'] = `${ofHandler}, ${ofService}`
  } else if (ofService !== undefined) {
    merged['Link'] = ofService
  }
  return merged
}
