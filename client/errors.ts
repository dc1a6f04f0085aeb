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
  readonly operationId: string
  readonly code: Code
  /** How often the request was sent. */
  readonly attempts: number
  /** The HTTP status; undefined when there was no response. */
  readonly status: number | undefined
  readonly details: readonly ErrorDetail[]
  /** The body of the error, as the contract has it; undefined without one, or if it is an `unexpected_response`. */
  readonly body: Body | undefined
  /** The ID of the request in the log of the service. */
  readonly requestId: string | undefined
  /** Seconds to wait before the next attempt. */
  readonly retryAfter: number | undefined
  readonly rateLimit: RateLimit | undefined

  constructor(message: string, fields: ErrorFields<Code>, cause?: Error) {
    super(message, cause && { cause })
    this.operationId = fields.operationId
    this.code = fields.code
    this.attempts = fields.attempts
    this.status = fields.status
    this.details = fields.details ?? []
    // The service sends what the contract says.
    this.body = fields.body as Body | undefined
    this.requestId = fields.requestId
    this.retryAfter = fields.retryAfter
    this.rateLimit = fields.rateLimit
  }
}

/** The class of the errors of an API, which has a name of its own. */
export type ApiErrorClass = new (
  message: string,
  fields: ErrorFields<string>,
  cause?: Error,
) => ApiError<unknown>

/**
 * Creates the error of a response: that of its body if this has a message, else an `unexpected_response`, as for
 * the error page of a proxy.
 */
export function responseError(
  call: Call,
  response: Response,
  body?: unknown,
  reason = isRedirect(response) ? ', a redirect, which is not followed' : '',
): ApiError<unknown> {
  const { status, headers } = response
  const sent = readErrorBody(call, body, headers.get('content-type') ?? '')
  const mediaType = headers.get('content-type')
  const unexpected = `${call.label}: unexpected response: ${status} ${mediaType}${reason}`
  const requestId = headers.get('x-request-id') ?? undefined

  // A proxy may repeat what it was sent.
  return new call.config.ErrorClass(hideSecrets(call, sent?.message ?? unexpected), {
    operationId: call.operationId,
    code: sent?.code ?? 'unexpected_response',
    attempts: call.attempts,
    status,
    // As the service sent them: the contract has their type.
    details: hideSecretsIn(call, sent?.details ?? []) as readonly ErrorDetail[],
    body: sent && hideSecretsIn(call, body),
    requestId: requestId && hideSecrets(call, requestId),
    retryAfter: readRetryAfter(headers),
    rateLimit: readRateLimit(headers),
  })
}

/** Returns whether a response is a redirect; browsers show status 0 of one that is not followed. */
function isRedirect({ status }: Response): boolean {
  return [0, 301, 302, 303, 307, 308].includes(status)
}

/** The members in which formats have what went wrong, for people, the best one first. */
const messageNames = [
  'message',
  'detail',
  'error_description',
  'description',
  'title',
  'msg',
  'reason',
  'error',
]

/**
 * Reads the error in the body of a response: an object with a message, such as an Error object or problem
 * details, in its member `error`, or as the first of its `errors`; undefined if there is no message.
 */
function readErrorBody(call: Call, body: unknown, mediaType: string) {
  if (typeof body === 'string' && body !== '' && mediaType.startsWith('text/plain')) {
    return { code: 'http_error', message: body, details: [] }
  }
  if (!isRecord(body)) {
    return undefined
  }

  const [first] = Array.isArray(body['errors']) ? body['errors'] : []
  const nested = [body['error'], body, first].filter(isRecord)
  const error = nested.find((each) => messageOf(each) !== undefined)
  const message = error && messageOf(error)
  if (error === undefined || message === undefined) {
    return undefined
  }

  const { code = body['code'], details = body['errors'] } = error
  const { error: name } = body
  const codes = [code, name].filter((each) => typeof each === 'string' && each !== message)
  const known = codes.length === 0 ? 'http_error' : String(codes[0])
  // A code is for programs: one in which a credential was replaced is none.
  if (hideSecrets(call, known) !== known) {
    return undefined
  }
  return { code: known, message, details: Array.isArray(details) ? details : [] }
}

function messageOf(error: Readonly<Record<string, unknown>>): string | undefined {
  const texts = messageNames.map((name) => error[name])
  return texts.find((text) => typeof text === 'string' && text !== '') as string | undefined
}

/** Creates the error of a call without a complete response. */
export function networkError(call: Call, cause: Error, status?: number): ApiError<unknown> {
  const { operationId, attempts } = call
  const reason = listMessages(cause).join(': ')
  const isTimeout = cause.name === 'TimeoutError'
  const code = isTimeout ? 'timeout' : 'network_error'

  // Browsers, and engines that tried several addresses, do not say what could not be reached.
  const host = isTimeout || reason.includes(call.host) ? '' : ` (${call.host})`
  const message = `${call.label}: ${reason}${host}`
  return new call.config.ErrorClass(message, { operationId, code, attempts, status }, cause)
}

/** Returns the messages of an error and its causes. */
function listMessages(error: Error): string[] {
  const messages: string[] = []
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    // The error of several addresses has no message.
    const code = 'code' in current && typeof current.code === 'string' ? current.code : ''
    messages.push(current.message || code || current.name)
  }
  return messages
}

/** Returns a text with the credentials replaced; one of less than 8 characters may be any word. */
function hideSecrets({ credentials }: Call, text: string): string {
  return credentials.secrets.reduce((shown, secret) => {
    return secret.length < 8 ? shown : shown.replaceAll(secret, '[redacted]')
  }, text)
}

/** Returns a JSON value with the credentials replaced in its texts and names. */
function hideSecretsIn(call: Call, value: unknown): unknown {
  if (typeof value === 'string') {
    return hideSecrets(call, value)
  }
  if (Array.isArray(value)) {
    return value.map((item) => hideSecretsIn(call, item))
  }
  if (!isRecord(value)) {
    return value
  }

  const members = Object.entries(value).map(([name, member]) => {
    return [hideSecrets(call, name), hideSecretsIn(call, member)] as const
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
  const error = new ErrorClass(hideSecrets(call, String(message)), init)

  for (const [key, value] of Object.entries({ name, code, stack })) {
    if (typeof value === 'string') {
      Object.defineProperty(error, key, {
        value: hideSecrets(call, value),
        enumerable: key === 'code',
      })
    }
  }
  return error
}
