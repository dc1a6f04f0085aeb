import type { RequestHandler } from 'express'
import { ApiError } from './errors.ts'
import { json } from './headers.ts'

/** Rejects a request whose `Accept` header rules out JSON: 406. */
export const acceptJson: RequestHandler = function acceptsJson({ headers }, _response, next) {
  if (isAccepted(json, headers.accept)) return next()
  const message = `The answer is ${json}, which the Accept header rules out.`
  throw new ApiError({ status: 406, code: 'not_acceptable' }, message)
}

// What commas and semicolons separate, except inside a quoted string.
const listEntries = /(?:[^,"]|"(?:\\.|[^"\\])*"?)+/g
const parameters = /(?:[^;"]|"(?:\\.|[^"\\])*"?)+/g
const zeroWeight = /^\s*q\s*=\s*0(?:\.0*)?\s*$/i

/**
 * Returns whether an `Accept` header allows a media type (RFC 9110, section 12.5.1): the most specific
 * range decides. Unlike `request.accepts` of Express, it ignores parameters other than the weight,
 * because some clients send `application/json; charset=utf-8`.
 */
function isAccepted(mediaType: string, accept: string | undefined): boolean {
  // What most programs send.
  if (accept === undefined || accept === '*/*' || accept === mediaType) return true
  // An empty list rejects nothing; commas alone are one (RFC 9110, section 5.6.1.2).
  if (/^[\s,]*$/.test(accept)) return true
  const ranges = new Map<string, boolean>()
  for (const entry of accept.match(listEntries) ?? []) {
    const [range = '', ...rest] = entry.match(parameters) ?? []
    const name = range.trim().toLowerCase()
    const isWanted = !rest.some((parameter) => zeroWeight.test(parameter))
    ranges.set(name, isWanted || ranges.get(name) === true)
  }
  const [type] = mediaType.split('/')
  const decisive = [mediaType, `${type}/*`, '*/*'].find((range) => ranges.has(range))
  return decisive !== undefined && ranges.get(decisive) === true
}
