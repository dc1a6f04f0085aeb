import { hash } from 'node:crypto'
import { canonicalJson } from './i-json.ts'
import { queryPairs } from './parameters.ts'
import { decode, type RequestContext } from './request-context.ts'

/**
 * Returns a digest of a request, by which requests with one idempotency key are compared: method, path, query
 * and body are those of the same request. Compared are values: neither percent-encoding nor the order of
 * parameters and of members in the body matters.
 */
export function fingerprintOf(
  method: string,
  { path, rawQuery }: Pick<RequestContext, 'path' | 'rawQuery'>,
  body: unknown,
): string {
  const segments = path.split('/').map((segment) => decode(segment) ?? segment)
  // By name alone: the order of the items of an array matters.
  const query = queryPairs(rawQuery).toSorted(([a], [b]) => (a === b ? 0 : a < b ? -1 : 1))
  return hash('sha256', canonicalJson([method, segments, query, body]), 'hex')
}
