import type { components } from '../../generated/openapi.d.ts'
import type { AnyResponse, BodyOf } from './handler-response.ts'

type Responses = components['responses']
type ErrorBody = { [Name in keyof Responses]: BodyOf<Responses[Name]> }[keyof Responses]
type Pair<B> = B extends { code: string; status: number }
  ? { readonly status: B['status']; readonly code: B['code'] }
  : never

/** One violation of a request: where, as a JSON Pointer with the location in front, and what. */
export type Detail = components['schemas']['ErrorDetail']

/**
 * A status code and an error code that the description allows together; this 403 is only in one with scopes,
 * and this 501 in one with operations that are not served.
 */
export type ErrorStatus =
  | Pair<ErrorBody>
  | { readonly status: 403; readonly code: 'insufficient_scope' }
  | { readonly status: 501; readonly code: 'not_implemented' }

/** The codes of the errors that only the service sends, before or instead of a handler. */
export type ServiceErrorCode = Extract<
  ErrorStatus['code'],
  | 'api_key_banned'
  | 'internal_error'
  | 'invalid_api_key'
  | 'method_not_allowed'
  | 'missing_api_key'
  | 'not_acceptable'
  | 'payload_too_large'
  | 'rate_limited'
  | 'unavailable'
  | 'unsupported_media_type'
>

interface ApiErrorOptions {
  readonly details?: readonly Detail[]
  readonly headers?: Readonly<Record<string, string | number>>
  readonly cause?: unknown
}

/** A request that the service rejects before or instead of its handler, with an Error object. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly details: readonly Detail[]
  readonly headers: Readonly<Record<string, string | number>>

  constructor({ status, code }: ErrorStatus, message: string, options: ApiErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.status = status
    this.code = code
    this.details = options.details ?? []
    this.headers = options.headers ?? {}
  }
}

/** Characters that an error repeats of a request. */
export const maxQuoteLength = 100

/** Returns the response to a request that was rejected. */
export function toErrorResponse(error: ApiError): AnyResponse {
  const { status, code, message, headers, details } = error
  const body = { code, message, status, ...(details.length === 0 ? {} : { details }) }
  return { status, headers, body }
}

/** Returns the sentence that says after how many seconds a request may be repeated. */
export function adviceToWait(seconds: number): string {
  return seconds === 1 ? 'Retry in 1 second.' : `Retry in ${seconds} seconds.`
}

/** Shortens a text between code points: half a surrogate pair is not I-JSON. */
export function shorten(text: string, longest = maxQuoteLength): string {
  if (text.length <= longest) {
    return text
  }
  const characters = [...text.slice(0, longest)]
  return `${characters.slice(0, -1).join('')}…`
}

/** Returns the error for an unexpected failure, without any of its details. */
export function internalError(cause: unknown): ApiError {
  const message = 'The service failed. Quote the X-Request-Id header when you ask for help.'
  return new ApiError({ status: 500, code: 'internal_error' }, message, { cause })
}

/**
 * Returns the error of a request that violates the description; `count` may exceed the listed details, and
 * is not complete where not all violations were looked for.
 */
export function invalidRequest(
  details: readonly Detail[],
  count = details.length,
  isComplete = true,
): ApiError {
  const places = count === 1 ? '1 place' : `${count} places`
  const more = isComplete ? '' : ' or more'
  const message = `The request breaks the contract in ${places}${more}.`
  return new ApiError({ status: 400, code: 'invalid_request' }, message, { details })
}

/** Returns the error of a body that cannot be parsed, with the offset in bytes from its start. */
export function malformedBody(
  offset: number,
  reason: string,
  message = 'The body is not I-JSON (RFC 7493).',
  cause?: unknown,
): ApiError {
  const details = [{ path: '/body', message: `byte ${offset}: ${reason}` }]
  return new ApiError({ status: 400, code: 'malformed_json' }, message, { details, cause })
}
