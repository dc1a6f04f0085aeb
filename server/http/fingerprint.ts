import { hash } from 'node:crypto'
import { isStreamed } from '../contract/content.ts'
import { toSortedJson } from '../description/json.ts'
import { decodeIfValid } from '../description/pointer.ts'
import type { RequestContext } from './request-context.ts'

type RequestOfDigest = Pick<RequestContext, 'path' | 'values' | 'credentialNames' | 'exactIntegers'>

/**
 * Returns a digest of a request, by which requests with one idempotency key are compared: method, path, query
 * and body are those of the same request. Compared are values: neither percent-encoding nor the order of
 * parameters and of members in the body matters. Of a file, name, media type and bytes are compared. Bytes and items
 * that are a stream are not: a handler that reads them may give a digest of them as the body.
 */
export function fingerprintOf(
  method: string,
  { path, values, credentialNames, exactIntegers }: RequestOfDigest,
  body: unknown,
): string {
  const segments = path.split('/').map(decodeIfValid)
  const sentParameters = Object.entries(values?.query ?? {}).filter(
    ([name]) => !credentialNames.has(name),
  )
  const query = sentParameters.toSorted(([one], [other]) => (one < other ? -1 : 1))
  // Different integers may have the same number.
  const exact = exactIntegers === undefined ? [] : [Object.fromEntries(exactIntegers)]
  return hash(
    'sha256',
    toSortedJson([method, segments, query, toComparable(body), ...exact]),
    'hex',
  )
}

function toComparable(body: unknown): unknown {
  return isStreamed(body) ? null : body
}
