import type { RequestHandler } from 'express'
import { ApiError } from '../contract/errors.ts'
import { json } from '../contract/headers.ts'

/** Rejects a request whose `Accept` header rules out JSON: 406. */
export const acceptJson: RequestHandler = function acceptsJson(request, _response, next) {
  const { accept = '*/*' } = request.headers
  // Most programs send one of these.
  if (accept === '*/*' || accept === json) {
    return next()
  }
  // Some clients ask for `application/json; charset=utf-8`: only the weight of a range matters.
  const parameter = /;(?!\s*q\s*=)(?:[^,;"]|"(?:\\.|[^"\\])*"?)*/gi
  // An empty list rejects nothing (RFC 9110, section 5.6.1.2).
  request.headers.accept = accept.replaceAll(parameter, '').replace(/^[\s,]*$/, '*/*')
  if (request.accepts(json)) {
    return next()
  }
  throw notAcceptable()
}

/** Returns the error of a request whose `Accept` header rules out JSON. */
export function notAcceptable(): ApiError {
  const message = `The response is ${json}, which the Accept header rules out.`
  return new ApiError({ status: 406, code: 'not_acceptable' }, message)
}
