import type { components } from '../../../generated/openapi.d.ts'

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

/** The headers that say how every answer is to be treated. */
export const securityHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const satisfies Partial<Record<ServiceHeader, string>>
