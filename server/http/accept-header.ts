import type { Request, RequestHandler } from 'express'
import { type Contract, responsesOf } from '../contract/contract.ts'
import { ApiError } from '../contract/errors.ts'
import type { Operation } from '../contract/operation.ts'
import { sentTypesOf } from '../contract/sent-types.ts'
import type { Description } from '../description/description.ts'
import { findMediaType, isRange, withoutParameters } from '../description/media-types.ts'

/**
 * Returns a function that creates the middleware of an operation that rejects a request whose `Accept` header
 * rules out every media type of its successes: 406. The one that is preferred gets into the context.
 */
export function createAcceptCheck({ description }: Pick<Contract, 'description'>) {
  return function acceptCheckOf(operation: Operation): RequestHandler {
    const types = successTypes(description, operation)
    const [first] = types

    return function checkAccept(request, { locals }, next) {
      const { accept = '*/*' } = request.headers
      // Most programs send one of these.
      const isUsual = first === undefined || accept === '*/*' || accept === first
      const preferred = isUsual ? first : preferredType(request, types)
      if (!isUsual && preferred === undefined) {
        throw notAcceptable(types)
      }

      locals.acceptedMediaType = preferred
      next()
    }
  }
}

/** Returns the media types that the successes of an operation may have, those of JSON first. */
export function successTypes(description: Description, operation: Operation): readonly string[] {
  const successes = responsesOf(description, operation).filter(({ isSuccess }) => isSuccess)
  const content = successes.flatMap((response) => response.content)
  return [...new Set(sentTypesOf(content))]
}

/**
 * Returns that of some media types which the `Accept` header of a request prefers; undefined if it rules out all.
 * For a range, it is the type of that range which the header names, or else the range.
 */
export function preferredType(request: Request, types: readonly string[]): string | undefined {
  const { accept = '*/*' } = request.headers
  const offeredTypes = types.some(isRange) ? withNamedTypes(types, accept) : types
  // Parameters tell media types apart only where the description has some.
  const hasParameters = types.some((type) => type.includes(';'))
  const exact = hasParameters ? accepted(request, offeredTypes, accept) : undefined
  return exact ?? accepted(request, offeredTypes, withWeightsAlone(accept))
}

/** Returns media types with the types of their ranges that an `Accept` header names, before each range. */
function withNamedTypes(types: readonly string[], accept: string): readonly string[] {
  const named = accept.split(',').map(withoutParameters)
  const exact = named.filter((type) => type.includes('/') && !isRange(type))
  return types.flatMap((type) => {
    const ofRange = isRange(type) ? exact.filter((each) => isOfRange(each, type)) : []
    return [...ofRange, type]
  })
}

function isOfRange(type: string, range: string): boolean {
  return findMediaType([range], type) !== undefined
}

/** Returns the media type that an `Accept` header prefers; undefined if it rules out all. */
function accepted(request: Request, types: readonly string[], accept: string): string | undefined {
  // Express reads the header from the request.
  const asked: Request = Object.create(request, { headers: { value: { accept } } })
  const acceptedType = asked.accepts([...types])
  return acceptedType === false || Array.isArray(acceptedType) ? undefined : acceptedType
}

/** Returns an `Accept` header with the weights of its ranges alone, such as for `application/json; charset=utf-8`. */
function withWeightsAlone(accept: string): string {
  const parameter = /;(?!\s*q\s*=)(?:[^,;"]|"(?:\\.|[^"\\])*"?)*/gi
  // An empty list rejects nothing (RFC 9110, section 5.6.1.2).
  return accept.replaceAll(parameter, '').replace(/^[\s,]*$/, '*/*')
}

/** Returns the error of a request whose `Accept` header rules out the media types of the response. */
export function notAcceptable(types: readonly string[]): ApiError {
  const message = `The response is ${types.join(' or ')}, which the Accept header rules out.`
  return new ApiError({ status: 406, code: 'not_acceptable' }, message)
}
