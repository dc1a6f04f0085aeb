import type { RequestHandler } from 'express'
import { ApiError, adviceToWait } from '../contract/errors.ts'
import type { ResponseHeaders } from '../contract/headers.ts'
import { isPublicOperation } from '../contract/operation.ts'
import type { KeyRecord } from '../store/key-store.ts'
import { isApiKey } from './api-key.ts'
import type { KeyCache } from './key-cache.ts'
import type { RateLimits, Verdict } from './rate-limits.ts'
import type { UsageCounter } from './usage-counter.ts'

/**
 * Returns the middleware that checks the API key and the rate limits of each request, and adds their
 * headers to the response. `usage` counts the requests within the limits of their keys, and those to
 * each operation; without `limits`, nothing is limited.
 */
export function authentication(
  keyCache: Pick<KeyCache, 'check'>,
  usage: Pick<UsageCounter, 'count' | 'countCall'>,
  limits: RateLimits | undefined,
): RequestHandler {
  /** Returns the record of a valid key, and notes in `locals` who calls. */
  async function identify(
    key: string | undefined,
    locals: Express.Locals,
  ): Promise<KeyRecord | undefined> {
    const record = key ? await keyCache.check(key) : undefined
    if (record === undefined) {
      return undefined
    }

    locals.callerId = record.id
    // Whatever the response will be: who calls an operation is affected by its changes.
    if (locals.operation) {
      usage.countCall(record.id, locals.operation.operationId)
    }
    return record
  }

  return async function checkKey(request, { locals }, next) {
    const key = readKey(request.headersDistinct['authorization'])
    let record: KeyRecord | undefined
    try {
      record = await identify(key, locals)
    } catch (error) {
      // Every response has the headers of a limit (the interface, "Rate limits").
      if (limits) {
        addHeaders(locals.headers, await limits.countAddress(request.ip, false))
      }
      throw error
    }

    if (limits !== undefined) {
      await countRequest(limits, record, request.ip, locals)
    }

    if (record !== undefined) {
      usage.count(record.id)
    } else if (key !== undefined || !isPublicOperation(locals.operation)) {
      throw unauthorized(key)
    }

    next()
  }
}

/** Counts a request, by its key or else by its address; throws an `ApiError` if it is over the limit. */
async function countRequest(
  limits: RateLimits,
  record: KeyRecord | undefined,
  address: string | undefined,
  locals: Express.Locals,
): Promise<void> {
  const verdict =
    record === undefined ? await limits.countAddress(address) : await limits.countKey(record)
  addHeaders(locals.headers, verdict)
  if (verdict.outcome === 'allowed') {
    return
  }

  locals.rejectedBy = record === undefined ? 'address' : verdict.outcome
  throw tooManyRequests(verdict, record !== undefined)
}

const bearer = /^Bearer +([^\s,]+)$/i

/**
 * Reads the bearer token (RFC 6750) of a request: one field, one token. Returns undefined if none was
 * sent, and an empty text for one that cannot be a key.
 */
function readKey([field = '', ...others]: readonly string[] = []): string | undefined {
  if (others.length > 0) {
    return ''
  }
  if (field.trim() === '') {
    return undefined
  }
  const [, key = ''] = bearer.exec(field) ?? []
  return isApiKey(key) ? key : ''
}

function addHeaders(headers: ResponseHeaders, { limit, remaining, left }: Verdict): void {
  headers['X-RateLimit-Limit'] = limit
  headers['X-RateLimit-Remaining'] = remaining
  headers['X-RateLimit-Reset'] = Math.ceil((Date.now() + left) / 1000)
}

/**
 * The `WWW-Authenticate` header for each error code of a 401. That of a request without credentials has
 * no error (RFC 6750, section 3.1).
 */
export const challenges = {
  missing_api_key: 'Bearer',
  invalid_api_key: 'Bearer error="invalid_token"',
} as const

/** Returns the error of a request without a valid key; `key` is what was sent, if anything was. */
export function unauthorized(key: string | undefined): ApiError {
  const code = key === undefined ? 'missing_api_key' : 'invalid_api_key'
  const headers = { 'WWW-Authenticate': challenges[code] }
  const message =
    key === undefined
      ? 'Send an API key: Authorization: Bearer <API_KEY>.'
      : 'The API key is not valid.'
  return new ApiError({ status: 401, code }, message, { headers })
}

/** Returns the error of a request over the limit of its key, or of its address without a valid key. */
export function tooManyRequests(
  { outcome, limit, retryAfter }: Pick<Verdict, 'outcome' | 'limit' | 'retryAfter'>,
  hasKey: boolean,
): ApiError {
  const isLimited = !hasKey || outcome === 'limited'
  const period = hasKey ? '' : ' per minute without a valid API key'
  const reason = isLimited
    ? `The limit of ${limit} requests${period} is reached.`
    : 'The API key is banned after repeated requests over its limit.'
  const seconds = Math.max(1, Math.ceil(retryAfter / 1000))
  const code = isLimited ? 'rate_limited' : 'api_key_banned'
  const headers = { 'Retry-After': seconds }
  return new ApiError({ status: 429, code }, `${reason} ${adviceToWait(seconds)}`, { headers })
}
