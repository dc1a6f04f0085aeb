import type { components } from '../generated/openapi.d.ts'
import { AnimalStoreError } from './error.ts'
import { readRateLimit } from './rate-limit.ts'
import { hide } from './redaction.ts'
import { readRetryAfter } from './retry-after.ts'

type ErrorBody = components['schemas']['Error']

/** What openapi-fetch gives when it is asked for text. */
export interface FetchResult {
  /** The content of a 2xx answer, as text. */
  readonly data?: unknown
  /** The content of any other answer: a JSON value, or text where it is not JSON. */
  readonly error?: unknown
  readonly response: Response
}

/** What is known of the call that an answer is to. */
export interface Answered {
  readonly operationId: string
  readonly attempts: number
  /** Kept out of everything that is said of the answer: a proxy may repeat what it was sent. */
  readonly apiKey: string
}

/** The value of a 2xx answer; throws an `AnimalStoreError` for any other. */
export function readContent(call: Answered, result: FetchResult): unknown {
  const { data, error, response } = result
  if (response.ok) {
    if (data === undefined && [204, 205].includes(response.status)) return undefined
    try {
      return JSON.parse(String(data))
    } catch {
      throw unexpected(call, response)
    }
  }
  if (!isErrorBody(error)) throw unexpected(call, response)
  const { code, message, details } = hideIn(error, call.apiKey)
  const known = { ...describe(call, response), code }
  throw new AnimalStoreError(message, Array.isArray(details) ? { ...known, details } : known)
}

/** The error for an answer that is not of the contract; a proxy's, most likely. */
export function unexpected(
  call: Answered,
  response: Response,
  what = `is not of the contract: ${response.status}, ${response.headers.get('content-type')}`,
): AnimalStoreError {
  const known = { ...describe(call, response), code: 'unexpected_response' }
  const message = `The answer to ${call.operationId} ${hide(what, call.apiKey)}.`
  return new AnimalStoreError(message, known)
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null) return false
  const { code, message } = { code: undefined, message: undefined, ...body }
  return typeof code === 'string' && typeof message === 'string'
}

function hideIn(body: ErrorBody, secret: string): ErrorBody {
  return JSON.parse(JSON.stringify(body), (_, value) =>
    typeof value === 'string' ? hide(value, secret) : value,
  )
}

function describe({ operationId, attempts, apiKey }: Answered, { status, headers }: Response) {
  const requestId = headers.get('x-request-id')
  return {
    operationId,
    attempts,
    status,
    requestId: requestId === null ? undefined : hide(requestId, apiKey),
    retryAfter: readRetryAfter(headers),
    rateLimit: readRateLimit(headers),
  }
}
