import type { components } from '../../generated/openapi.d.ts'
import { type Description, type JsonObject, locate, rootOf } from './description.ts'
import type { OutgoingHeaders } from './request-context.ts'

/**
 * The headers that the service itself puts on answers, so that no handler has to.
 * The type ties each to a header component of the contract: renaming one there fails here.
 */
export type ServiceHeader = Extract<keyof components['headers'], (typeof serviceHeaders)[number]>

/** The same headers by name; a contract need not have all of them. */
export const serviceHeaders = [
  'Cache-Control',
  'Deprecation',
  'Sunset',
  'X-Content-Type-Options',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
] as const

/** The headers that are absent when limits are off. */
export const limitHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const satisfies readonly ServiceHeader[]

/** The headers that have one value on every response, unless the description gives another. */
export const securityHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const satisfies Partial<Record<ServiceHeader, string>>

/** Returns those headers with the values that the description gives as `const`. */
export function fixedHeaders(description: Description): OutgoingHeaders {
  const headers: OutgoingHeaders = { ...securityHeaders }
  for (const name of Object.keys(headers)) {
    const value = headerSchema(description, name)['const']
    if (typeof value === 'string') headers[name] = value
  }
  return headers
}

/** Returns whether the description allows a client's `X-Request-Id`; without one, its form is the usual. */
export function allowedRequestIds(description: Description): (id: string) => boolean {
  const { pattern, maxLength } = headerSchema(description, 'X-Request-Id')
  const form = typeof pattern === 'string' ? new RegExp(pattern, 'u') : undefined
  const longest = typeof maxLength === 'number' ? maxLength : Number.POSITIVE_INFINITY
  return (id) => id.length <= longest && (form === undefined || form.test(id))
}

function headerSchema(description: Description, name: string): JsonObject {
  const place = ['components', 'headers', name, 'schema']
  return locate(description, rootOf(description), ...place)?.node ?? {}
}
