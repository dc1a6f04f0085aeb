import type { components } from '../generated/openapi.d.ts'
import { type RateLimit, readRateLimit } from './hooks.ts'
import type { Call } from './request.ts'
import { readRetryAfter } from './retry.ts'

/** A violation of the contract in a request. */
export interface ErrorDetail {
  /** A JSON Pointer to the value, such as `/body/name`. */
  readonly path: string
  readonly message: string
}

type Schemas = components['schemas']

/** The codes of the contract, those of the client, and those of a later contract. */
export type ErrorCode =
  | (Schemas extends { Error: { code: infer Code } } ? Code : never)
  | 'network_error'
  | 'timeout'
  | 'unexpected_response'
  | 'too_many_pages'
  | (string & Record<never, never>)

/** The error of a call that the service rejected, or that got no response of the contract. */
export class AnimalStoreError extends Error {
  override readonly name = 'AnimalStoreError'
  declare readonly operationId: string
  declare readonly code: ErrorCode
  /** How often the request was sent. */
  declare readonly attempts: number
  /** The HTTP status; undefined when there was no response. */
  declare readonly status: number | undefined
  declare readonly details: readonly ErrorDetail[]
  /** The ID of the request in the log of the service. */
  declare readonly requestId: string | undefined
  /** Seconds to wait before the next attempt. */
  declare readonly retryAfter: number | undefined
  declare readonly rateLimit: RateLimit | undefined

  constructor(message: string, fields: ErrorFields, cause?: Error) {
    super(message, cause && { cause })
    Object.assign(this, { details: [], ...fields })
  }
}

/** The fields of the error of a failed call. */
export type ErrorFields = Partial<AnimalStoreError> &
  Pick<AnimalStoreError, 'operationId' | 'code' | 'attempts'>

/**
 * Creates the error of a response: that of its body if this is an Error object, else an
 * `unexpected_response`, as for the error page of a proxy.
 */
export function responseError(
  call: Call,
  { status, headers }: Response,
  body?: unknown,
  what = /^(0|30[12378])$/.test(`${status}`) ? ', a redirect, which is not followed' : '',
): AnimalStoreError {
  // A proxy may repeat what it was sent.
  const hide = (text: unknown): string => hideKey(call, String(text))
  const { code, message, details }: Partial<Record<string, unknown>> = Object(body)
  const isCode = typeof code === 'string' && hide(code) === code
  const isOwn = isCode && typeof message === 'string' && message !== ''
  const found = JSON.stringify(isOwn && Array.isArray(details) ? details : [])
  const unexpected = `${call.label}: unexpected response: ${status} ${headers.get('content-type')}${what}`
  return new AnimalStoreError(hide(isOwn ? message : unexpected), {
    operationId: call.operationId,
    code: isOwn ? code : 'unexpected_response',
    attempts: call.attempts,
    status,
    details: JSON.parse(found, (_, value) => {
      if (typeof value === 'string') return hide(value)
      if (Array.isArray(value) || Object(value) !== value) return value
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [hide(name), one]))
    }),
    requestId: headers.has('x-request-id') ? hide(headers.get('x-request-id')) : undefined,
    retryAfter: readRetryAfter(headers),
    rateLimit: readRateLimit(headers),
  })
}

/** Creates the error of a call without a complete response. */
export function networkError(call: Call, cause: Error, status?: number): AnimalStoreError {
  const { operationId, attempts } = call
  const messages: string[] = []
  for (let error: unknown = cause; error instanceof Error; error = error.cause) {
    // The error of several addresses has no message.
    messages.push(error.message || Object(error).code || error.name)
  }
  const reason = messages.join(': ')
  const isTimeout = cause.name === 'TimeoutError'
  // Browsers, and engines that tried several addresses, do not say what could not be reached.
  const host = isTimeout || reason.includes(call.host) ? '' : ` (${call.host})`
  const message = `${call.label}: ${reason}${host}`
  const code = isTimeout ? 'timeout' : 'network_error'
  return new AnimalStoreError(message, { operationId, code, attempts, status }, cause)
}

/** Returns a text with the API key replaced; a key of less than 8 characters may be any word. */
export function hideKey({ apiKey }: Call, text: string): string {
  return apiKey.length < 8 ? text : text.replaceAll(apiKey, '[redacted]')
}

/**
 * Copies the texts of what was thrown, and of its causes, without the API key; nothing else of it,
 * because a request, for example, contains the key.
 */
export function copyError(call: Call, thrown: unknown, depth = 0): Error {
  const { name, code, message = thrown, stack, cause } = Object(thrown)
  const init = cause && depth < 5 ? { cause: copyError(call, cause, depth + 1) } : undefined
  const ErrorClass = thrown instanceof TypeError ? TypeError : Error
  const error = new ErrorClass(hideKey(call, String(message)), init)
  for (const [key, value] of Object.entries({ name, code, stack })) {
    if (typeof value === 'string') {
      Object.defineProperty(error, key, { value: hideKey(call, value), enumerable: key === 'code' })
    }
  }
  return error
}
