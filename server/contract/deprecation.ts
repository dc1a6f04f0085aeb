import type { Operation } from './operation.ts'
import type { OutgoingHeaders } from './request-context.ts'

/**
 * The headers on every answer of a deprecated operation, from the contract's data alone:
 * `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a `Link` to the successor (RFC 5829).
 */
export function deprecationHeaders(
  operation: Operation,
  operations: Readonly<Record<string, Operation>>,
  basePath: string,
): OutgoingHeaders {
  const { since, sunset, replacedBy } = operation.deprecation ?? {}
  const headers: OutgoingHeaders = {}
  if (since !== undefined) headers['Deprecation'] = `@${Date.parse(since) / 1000}`
  if (sunset !== undefined) headers['Sunset'] = new Date(sunset).toUTCString()
  const successor = replacedBy === undefined ? undefined : operations[replacedBy.operationId]
  if (successor !== undefined && !successor.path.includes('{')) {
    headers['Link'] = `<${basePath}${successor.path}>; rel="successor-version"`
  }
  return headers
}
