import type { Request, RequestHandler } from 'express'
import { json } from './any-response.ts'
import { ApiError } from './errors.ts'
import { isAccepted } from './request/accept.ts'
import { readBody } from './request/request-body.ts'

/** Rejects a request whose `Accept` header rules out JSON: 406. */
export function acceptJson({ headers }: Request, _response: unknown, next: () => void): void {
  if (!isAccepted(json, headers.accept)) {
    const message = `The answer is ${json}, which the Accept header rules out.`
    throw new ApiError({ status: 406, code: 'not_acceptable' }, message)
  }
  next()
}

/**
 * Reads the body of an operation that has one as I-JSON (RFC 7493), and names its media type as the
 * description does: express-openapi-validator caches a function for each `Content-Type`.
 */
export const jsonBody: RequestHandler = function readJsonBody(request, response, next) {
  const { operation } = response.locals
  if (operation?.requestBody === undefined) {
    delete request.headers['content-type']
    return next()
  }
  return readBody(operation.requestBody, request, response).then(({ mediaType, body }) => {
    request.body = body
    if (mediaType === undefined) delete request.headers['content-type']
    else request.headers['content-type'] = mediaType
    next()
  })
}
