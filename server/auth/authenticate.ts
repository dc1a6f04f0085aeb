import type { RequestHandler } from 'express'
import { fieldValues } from '../contract/headers.ts'
import { isPublic } from '../contract/operation.ts'
import type { Admit } from './admission.ts'

/**
 * Returns the middleware that checks the API key and the rate limits of each request, and adds their
 * headers to the response.
 */
export function authenticate(admit: Admit): RequestHandler {
  return async function checkKey(request, { locals }, next) {
    const { headers, callerId, refusal } = await admit({
      credentials: fieldValues(request, 'authorization'),
      address: () => request.ip ?? '',
      isKeyOptional: () => locals.operation !== undefined && isPublic(locals.operation),
    })
    Object.assign(locals.headers, headers)
    locals.callerId = refusal === undefined ? callerId : undefined
    next(refusal)
  }
}
