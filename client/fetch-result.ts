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
}

/** The value of a 2xx answer; throws an `AnimalStoreError` for any other. */
export function readContent(call: Answered, result: FetchResult, apiKey: string): unknown {
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
  const { message, details = [] } = hideIn(error, apiKey)
  throw new AnimalStoreError(message, { ...describe(call, response), code: error.code, details })
}

/** The error for an answer that is not of the contract; a proxy's, most likely. */
export function unexpected(
  call: Answered,
  response: Response,
  what = `is not of the contract: ${response.status}, ${response.headers.get('content-type')}`,
): AnimalStoreError {
  const known = { ...describe(call, response), code: 'unexpected_response' }
  return new AnimalStoreError(`The answer to ${call.operationId} ${what}.`, known)
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null) return false
  const { code, message } = { code: undefined, message: undefined, ...body }
  return typeof code === 'string' && typeof message === 'string'
}

// A proxy may say what it was sent.
function hideIn(body: ErrorBody, secret: string): ErrorBody {
  return JSON.parse(JSON.stringify(body), (_, value) =>
    typeof value === 'string' ? hide(value, secret) : value,
  )
}

function describe({ operationId, attempts }: Answered, { status, headers }: Response) {
  return {
    operationId,
    attempts,
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: readRetryAfter(headers),
    rateLimit: readRateLimit(headers),
  }
}
