import type { components } from '../generated/openapi.d.ts'
import type { Course } from './course.ts'
import { AnimalStoreError, type FailedCall } from './error.ts'
import { readRateLimit } from './rate-limit.ts'
import { contains, hideIn } from './redaction.ts'
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

/** The value of a 2xx answer; throws an `AnimalStoreError` for any other. */
export function readContent(call: Course, { data, error, response }: FetchResult): unknown {
  if (response.ok) {
    if (response.status === 204) return undefined
    try {
      return JSON.parse(String(data))
    } catch {
      throw unexpected(call, response)
    }
  }
  const { code, message, details }: Partial<ErrorBody> = Object(error)
  if (typeof code !== 'string' || !message || holdsKey(code, call)) throw unexpected(call, response)
  throw toError(call, response, { code, message, ...(Array.isArray(details) && { details }) })
}

// A code is never rewritten. One of the contract's form is no key, whatever a test takes for a key.
function holdsKey(code: string, { line: { apiKey } }: Course): boolean {
  return contains(code, apiKey) && !/^[a-z_]+$/.test(code)
}

/** The error for an answer that is not of the contract; a proxy's, most likely. */
export function unexpected(
  call: Course,
  response: Response,
  what = `is not of the contract: ${response.status}, ${response.headers.get('content-type')}`,
): AnimalStoreError {
  const message = `The answer to ${call.row.operationId} ${what}.`
  return toError(call, response, { code: 'unexpected_response', message })
}

function toError(
  { line: { apiKey }, row: { operationId }, attempts }: Course,
  { status, headers }: Response,
  { code, ...said }: Pick<FailedCall, 'code' | 'details'> & { readonly message: string },
): AnimalStoreError {
  const requestId = headers.get('x-request-id') ?? undefined
  // A proxy may repeat what it was sent.
  const { message, ...known } = hideIn({ ...said, requestId }, apiKey)
  return new AnimalStoreError(message, {
    operationId,
    attempts,
    status,
    code,
    ...known,
    retryAfter: readRetryAfter(headers),
    rateLimit: readRateLimit(headers),
  })
}
