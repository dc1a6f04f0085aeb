import { type RateLimit, readRateLimit } from './hooks.ts'
import { isRecord } from './record.ts'
import type { Call } from './request.ts'
import { readRetryAfter } from './retry.ts'

/** A violation of the contract in a request. */
export interface ErrorDetail {
  /** A JSON Pointer to the value, such as `/body/name`. */
  readonly path: string
  readonly message: string
}

/** The codes of the contract, those of the client, and those of a later contract. */
export type ErrorCodeOf<Components> =
  | (Components extends { schemas: { Error: { code: infer Code extends string } } } ? Code : never)
  | 'http_error'
  | 'network_error'
  | 'timeout'
  | 'unexpected_response'
  | 'too_many_pages'
  | (string & Record<never, never>)

/** The bodies of the error responses of all operations. */
export type ErrorBodyOf<Operations> = {
  [Id in keyof Operations]: Operations[Id] extends { responses: infer Responses }
    ? ErrorBodyIn<Responses>
    : never
}[keyof Operations]

type ErrorBodyIn<Responses> = {
  [Status in keyof Responses]: `${Status & (string | number)}` extends `${4 | 5 | 'default'}${string}`
    ? ContentOf<Responses[Status]>
    : never
}[keyof Responses]

type ContentOf<Response> = Response extends { content: infer Content }
  ? Content[keyof Content]
  : never

/** What an error says of its call. */
export interface ErrorFields<Code> {
  readonly operationId: string
  readonly code: Code
  readonly attempts: number
  readonly status?: number | undefined
  readonly details?: readonly ErrorDetail[] | undefined
  readonly body?: unknown
  readonly requestId?: string | undefined
  readonly retryAfter?: number | undefined
  readonly rateLimit?: RateLimit | undefined
}

/** The error of a call that the service rejected, or that got no response of the contract. */
export class ApiError<Code = string, Body = unknown> extends Error {
  override readonly name: string = 'ApiError'
  declare readonly operationId: string
  declare readonly code: Code
  /** How often the request was sent. */
  declare readonly attempts: number
  /** The HTTP status; undefined when there was no response. */
  declare readonly status: number | undefined
  declare readonly details: readonly ErrorDetail[]
  /** The body of the error, as the contract has it; undefined without one, or if it is an `unexpected_response`. */
  declare readonly body: Body | undefined
  /** The ID of the request in the log of the service. */
  declare readonly requestId: string | undefined
  /** Seconds to wait before the next attempt. */
  declare readonly retryAfter: number | undefined
  declare readonly rateLimit: RateLimit | undefined

  constructor(message: string, fields: ErrorFields<Code>, cause?: Error) {
    super(message, cause && { cause })
    Object.assign(this, { details: [] }, fields)
  }
}

/** The class of the errors of an API, which has a name of its own. */
export type ApiErrorClass = new (
  message: string,
  fields: ErrorFields<string>,
  cause?: Error,
) => ApiError<unknown>

/** What the body of an error says. */
export interface ErrorContent {
  readonly code: string
  readonly message: string
  readonly details: readonly unknown[]
}

/** Reads the body of an error; undefined if it has no message. */
export type ReadError = (body: unknown, mediaType: string) => ErrorContent | undefined

/** Reads an Error object; undefined if it has no message. */
export const readErrorObject: ReadError = (body) => {
  const { code, message, details } = isRecord(body) ? body : {}
  if (typeof message !== 'string' || message === '') {
    return undefined
  }
  return {
    code: typeof code === 'string' ? code : 'http_error',
    message,
    details: Array.isArray(details) ? details : [],
  }
}

/**
 * Creates the error of a response: that of its body if this has a message, else an `unexpected_response`, as for
 * the error page of a proxy.
 */
export function responseError(
  call: Call,
  response: Response,
  body?: unknown,
  // Browsers show status 0 of a redirect that is not followed.
  reason = response.ok || response.status >= 400 ? '' : ', a redirect, not followed',
): ApiError<unknown> {
  const { status, headers } = response
  const mediaType = headers.get('content-type')
  const read = call.operation?.readError ?? readErrorObject
  const content = read(body, mediaType ?? '')

  // The response of a proxy may repeat the request, with its credentials.
  const { message, details, ...fields } = redact(call, {
    code: 'unexpected_response',
    message: `${call.label}: unexpected response: ${status} ${mediaType}${reason}`,
    details: [],
    ...content,
    body: content && body,
    requestId: headers.get('x-request-id') ?? undefined,
  })
  const retryAfter = readRetryAfter(headers)
  const rateLimit = readRateLimit(headers)
  return createError(call, message, {
    ...fields,
    // The contract has the type of the details, which are as the service sent them.
    details: details as readonly ErrorDetail[],
    status,
    retryAfter,
    rateLimit,
  })
}

/** Creates the error of a call without a complete response. */
export function networkError(call: Call, cause: Error, status?: number): ApiError<unknown> {
  const reason = describe(cause)
  const isTimeout = cause.name === 'TimeoutError'
  const code = isTimeout ? 'timeout' : 'network_error'

  // Browsers, and engines that tried several addresses, do not say what could not be reached.
  const host = isTimeout || reason.includes(call.host) ? '' : ` (${call.host})`
  return createError(call, `${call.label}: ${reason}${host}`, { code, status }, cause)
}

/** Creates the error of a call. */
export function createError(
  { ErrorClass, operationId, attempts }: Pick<Call, 'ErrorClass' | 'operationId' | 'attempts'>,
  message: string,
  fields: Omit<ErrorFields<string>, 'operationId' | 'attempts'>,
  cause?: Error,
): ApiError<unknown> {
  return new ErrorClass(message, { operationId, attempts, ...fields }, cause)
}

/** Returns the messages of an error and its causes. */
function describe(error: Error & { readonly code?: unknown }): string {
  // The error of several addresses has no message.
  const message = error.message || error.code || error.name
  return error.cause instanceof Error ? `${message}: ${describe(error.cause)}` : `${message}`
}

/** Returns a JSON value with the credentials replaced in its texts and names. */
function redact<Value>(call: Call, value: Value): Value
function redact(call: Call, value: unknown): unknown {
  if (typeof value === 'string') {
    // A credential of less than 8 characters may be any word.
    const secrets = call.secrets.filter((secret) => secret.length >= 8)
    return secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), value)
  }
  if (Array.isArray(value)) {
    return value.map((item) => redact(call, item))
  }
  if (!isRecord(value)) {
    return value
  }

  const members = Object.entries(value).map(([name, member]) => {
    return [redact(call, name), redact(call, member)] as const
  })
  return Object.fromEntries(members)
}

/**
 * Copies the texts of what was thrown, and of its causes, without the credentials; nothing else of
 * it, because a request, for example, contains them.
 */
export function copyError(call: Call, thrown: unknown, depth = 0): Error {
  const { name, code, message = thrown, stack, cause } = isRecord(thrown) ? thrown : {}
  const init = cause && depth < 5 ? { cause: copyError(call, cause, depth + 1) } : undefined
  const ErrorClass = thrown instanceof TypeError ? TypeError : Error
  const error = new ErrorClass(redact(call, String(message)), init)

  for (const [key, value] of Object.entries({ name, code, stack })) {
    if (typeof value === 'string') {
      Object.defineProperty(error, key, {
        value: redact(call, value),
        enumerable: key === 'code',
      })
    }
  }
  return error
}
