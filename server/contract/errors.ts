import type { AnyResponse } from './handler-response.ts'

/** One violation of a request: where, as a JSON Pointer with the location in front, and what. */
export interface Detail {
  readonly path: string
  readonly message: string
}

/** The statuses of the platform's own errors, by their codes. */
interface StatusByCode {
  readonly invalid_request: 400
  readonly malformed_json: 400
  readonly bad_request_framing: 400 | 408 | 414 | 417 | 431 | 501 | 505
  readonly missing_api_key: 401
  readonly invalid_api_key: 401
  readonly insufficient_scope: 403
  readonly not_found: 404
  readonly method_not_allowed: 405
  readonly not_acceptable: 406
  readonly idempotency_in_progress: 409
  readonly payload_too_large: 413
  readonly unsupported_media_type: 415
  readonly idempotency_key_reused: 422
  readonly rate_limited: 429
  readonly api_key_banned: 429
  readonly internal_error: 500
  readonly not_implemented: 501
  readonly unavailable: 503
}

/** The codes of the platform's own errors. */
export type PlatformCode = keyof StatusByCode

/** A status code and an error code of the platform that go together. */
export type ErrorStatus = {
  [Code in PlatformCode]: { readonly status: StatusByCode[Code]; readonly code: Code }
}[PlatformCode]

/** The codes of the platform's errors with a status. */
export type PlatformCodeOf<Status> = {
  [Code in PlatformCode]: Status extends StatusByCode[Code] ? Code : never
}[PlatformCode]

/** The codes of the errors that only the service sends, before or instead of a handler. */
export type ServiceErrorCode = Extract<
  PlatformCode,
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

/** A request that the service rejects before or instead of its handler. */
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

/** Returns the response to a request that was rejected, before it has the format of the API. */
export function toErrorResponse({ status, code, message, headers, details }: ApiError) {
  return { status, headers, error: { code, message, details } } satisfies AnyResponse
}

/** Returns the sentence that says after how many seconds a request may be repeated. */
export function adviceToWait(seconds: number): string {
  return seconds === 1 ? 'Retry in 1 second.' : `Retry in ${seconds} seconds.`
}

/** Returns the error of a request that cannot be served now, with the seconds after which it may be repeated. */
export function unavailable(reason: string, seconds: number, cause?: unknown): ApiError {
  const options = { headers: { 'Retry-After': seconds }, cause }
  const message = `${reason} ${adviceToWait(seconds)}`
  return new ApiError({ status: 503, code: 'unavailable' }, message, options)
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
): ApiError {
  const details = [{ path: '/body', message: `byte ${offset}: ${reason}` }]
  return new ApiError({ status: 400, code: 'malformed_json' }, message, { details })
}
