import type { Response } from 'express'
import { parseIJson } from '../../contract/i-json.ts'
import { LargeIntegers } from '../../contract/large-integers.ts'
import type { RequestBody } from '../../contract/operation.ts'

/** Returns the value of a body of JSON; throws if it is not I-JSON (RFC 7493). */
export function parseJson(
  bytes: Uint8Array,
  { acceptsLargeIntegers = false }: RequestBody,
  { locals }: Response,
): unknown {
  if (!acceptsLargeIntegers) {
    return parseIJson(bytes)
  }
  return parseIJson(bytes, (holder, key, literal) => {
    locals.largeIntegers ??= new LargeIntegers()
    locals.largeIntegers.add(holder, key, literal)
  })
}
