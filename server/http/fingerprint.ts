import { hash } from 'node:crypto'
import { queryPairs } from '../contract/parameters.ts'
import { toSortedJson } from '../description/json.ts'
import { decodeIfValid } from '../description/pointer.ts'
import type { RequestContext } from './request-context.ts'

type RequestOfDigest = Pick<RequestContext, 'path' | 'rawQuery' | 'credentialNames' | 'operation'>

/**
 * Returns a digest of a request, by which requests with one idempotency key are compared: method, path, query
 * and body are those of the same request. Compared are values: neither percent-encoding nor the order of
 * parameters and of members in the body matters.
 */
export function fingerprintOf(
  method: string,
  { path, rawQuery, credentialNames, operation }: RequestOfDigest,
  body: unknown,
): string {
  const segments = path.split('/').map(decodeIfValid)
  const parameters = operation?.parameters.query ?? {}
  // By name alone: the order of the items of an array matters.
  const pairs = queryPairs(rawQuery, parameters).filter(([name]) => !credentialNames.has(name))
  const query = pairs.toSorted(([a], [b]) => (a === b ? 0 : a < b ? -1 : 1))
  return hash('sha256', toSortedJson([method, segments, query, body]), 'hex')
}
