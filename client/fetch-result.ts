import type { components } from '../generated/openapi.d.ts'
import { AnimalStoreError } from './error.ts'
import { readRateLimit } from './rate-limit.ts'
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
export function readContent(
  { operationId, attempts }: { readonly operationId: string; readonly attempts: number },
  { data, error, response }: FetchResult,
): unknown {
  const call = { operationId, attempts, ...readHeaders(response) }
  if (!response.ok && isErrorBody(error)) {
    throw new AnimalStoreError(error.message, { ...call, code: error.code, details: error.details })
  }
  // A proxy's page, most likely: it is not ours, and not for the message.
  const type = response.headers.get('content-type') ?? 'without a media type'
  const message = `The answer to ${operationId} is not the service's: ${response.status}, ${type}.`
  const unexpected = { ...call, code: 'unexpected_response' }
  if (!response.ok) throw new AnimalStoreError(message, unexpected)
  try {
    return data === undefined || data === '' ? undefined : JSON.parse(String(data))
  } catch (cause) {
    throw new AnimalStoreError(message, unexpected, cause)
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null) return false
  const { code, message } = { code: undefined, message: undefined, ...body }
  return typeof code === 'string' && typeof message === 'string'
}

function readHeaders({ status, headers }: Response) {
  return {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: readRetryAfter(headers),
    rateLimit: readRateLimit(headers),
  }
}
