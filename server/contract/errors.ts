import type { components } from '../../generated/openapi.d.ts'
import type { AnyResponse } from './handler.ts'

type Responses = components['responses']
type BodyOf<R> = R extends { content: infer C } ? C[keyof C] : never
type ErrorBody = { [Name in keyof Responses]: BodyOf<Responses[Name]> }[keyof Responses]
type Pair<B> = B extends { code: string; status: number }
  ? { readonly status: B['status']; readonly code: B['code'] }
  : never

/** One fault of a request: where, as a JSON Pointer led by its place, and what. */
export type Detail = components['schemas']['ErrorDetail']

/** A status and a code that the contract allows together. */
export type ErrorStatus = Pair<ErrorBody>

export interface ApiErrorOptions {
  readonly details?: readonly Detail[]
  readonly headers?: Readonly<Record<string, string | number>>
  readonly cause?: unknown
}

/** A request that the service turns down before or instead of its handler, with an Error object. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly details: readonly Detail[]
  readonly headers: Readonly<Record<string, string | number>>

  constructor(refused: ErrorStatus, message: string, options: ApiErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.status = refused.status
    this.code = refused.code
    this.details = options.details ?? []
    this.headers = options.headers ?? {}
  }
}

/** Characters that an error repeats of a request. */
export const longestEcho = 100

/** Faults that an error lists. */
export const mostDetails = 100

/** The declared answer of a handler that has bad news: the Error object under its status. */
export function failure<Status extends ErrorStatus['status'], Code extends CodeOf<Status>>(
  status: Status,
  code: Code,
  message: string,
  details?: Detail[],
) {
  const body = { code, message, status, ...(details === undefined ? {} : { details }) }
  return { status, body } as const
}

type CodeOf<Status> = Extract<ErrorStatus, { readonly status: Status }>['code']

/** The answer to a request that was refused; its details are bounded in number and length. */
export function toErrorResponse(refusal: ApiError): AnyResponse {
  const { status, headers, details } = refusal
  return { status, headers, body: toErrorBody(refusal, details) }
}

function toErrorBody({ code, message, status }: ApiError, details: readonly Detail[]) {
  const listed = details.slice(0, mostDetails).map(({ path, message }) => ({
    path: shorten(path),
    message: shorten(message, 2 * longestEcho),
  }))
  return { code, message, status, ...(listed.length === 0 ? {} : { details: listed }) }
}

/** Cuts a text that is too long, between code points: half a surrogate pair is not I-JSON. */
export function shorten(text: string, longest = longestEcho): string {
  if (text.length <= longest) return text
  const characters = [...text.slice(0, longest)]
  return `${characters.slice(0, -1).join('')}…`
}

/** The refusal for whatever went wrong inside; says nothing of the inside. */
export function internalError(cause: unknown): ApiError {
  const message =
    'The service failed to answer. Quote the X-Request-Id header when you ask for help.'
  return new ApiError({ status: 500, code: 'internal_error' }, message, { cause })
}

/** The refusal of a request that breaks the contract, with each fault that is to be listed. */
export function invalidRequest(details: readonly Detail[], count = details.length): ApiError {
  const places = count === 1 ? '1 place' : `${count} places`
  const message = `The request breaks the contract in ${places}.`
  return new ApiError({ status: 400, code: 'invalid_request' }, message, { details })
}
