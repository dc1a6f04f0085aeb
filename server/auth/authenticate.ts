import type { RequestHandler } from 'express'
import { ApiError } from '../contract/errors.ts'
import { fieldValues, type ResponseHeaders } from '../contract/headers.ts'
import type { Operation } from '../contract/operation.ts'
import type { KeyRecord } from '../store/key-store.ts'
import { isApiKey } from './api-key.ts'
import type { KeyCache } from './key-cache.ts'
import type { Outcome } from './rate-limiter.ts'
import type { RateLimits, Verdict, Window } from './rate-limits.ts'
import type { UsageCounter } from './usage-counter.ts'

export interface AuthenticationOptions {
  readonly keyCache: KeyCache
  /** Counts every request that a key was valid for. */
  readonly usage: Pick<UsageCounter, 'count'>
  /** Absent when rate limits are off. */
  readonly limits?: RateLimits | undefined
  /** Called for every request that a limit rejects. */
  readonly onRejected?: ((by: RejectedBy) => void) | undefined
}

/** What rejected a request: the limit of its address, that of its key, or a ban of the key. */
export type RejectedBy = 'address' | Exclude<Outcome, 'allowed'>

/** What a request is authenticated by. */
export interface Credentials {
  /** The values of `Authorization`. */
  readonly authorization: readonly string[]
  /** Returns the address of the client. */
  readonly address: () => string
  /** Whether the operation may be called without a key. */
  readonly isKeyOptional: () => boolean
}

/** The client of a request, or why the request is rejected. */
export interface Authentication {
  readonly headers: ResponseHeaders
  /** The ID of the API key, if it is valid and within its limits. */
  readonly callerId?: string
  readonly error?: Error
}

export type Authenticate = (credentials: Credentials) => Promise<Authentication>

/**
 * Returns the middleware that checks the API key and the rate limits of each request, and adds their
 * headers to the response.
 */
export function authentication(authenticate: Authenticate): RequestHandler {
  return async function checkKey(request, { locals }, next) {
    const { headers, callerId, error } = await authenticate({
      authorization: fieldValues(request, 'authorization'),
      address: () => request.ip ?? '',
      isKeyOptional: () => locals.operation !== undefined && isPublic(locals.operation),
    })
    Object.assign(locals.headers, headers)
    locals.callerId = callerId
    next(error)
  }
}

/** Returns whether an operation may be called without credentials. */
function isPublic({ security }: Operation): boolean {
  return security.length === 0 || security.some((each) => Object.keys(each).length === 0)
}

/** Returns the function that checks API keys and rate limits. */
export function createAuthenticate(options: AuthenticationOptions): Authenticate {
  const { keyCache, usage, limits, onRejected } = options
  return async function authenticate({ authorization, address, isKeyOptional }) {
    const token = readToken(authorization)
    let record: KeyRecord | undefined
    try {
      if (typeof token === 'object') record = await keyCache.check(token.key)
    } catch (error) {
      // Every response has the headers of a limit (the interface, "Rate limits").
      const headers = toHeaders(await limits?.readAddress(address()))
      return { headers, error: error instanceof Error ? error : new Error(String(error)) }
    }
    const verdict = await (record === undefined
      ? limits?.countAddress(address())
      : limits?.countKey(record.id, record))
    const headers = toHeaders(verdict?.window)
    if (verdict !== undefined && verdict.outcome !== 'allowed') {
      onRejected?.(record === undefined ? 'address' : verdict.outcome)
      return { headers, error: tooManyRequests(verdict, record !== undefined) }
    }
    if (record !== undefined) {
      usage.count(record.id)
      return { headers, callerId: record.id }
    }
    if (token === 'missing' && isKeyOptional()) return { headers }
    return { headers, error: unauthorized(token) }
  }
}

type Token = 'missing' | 'malformed' | { readonly key: string }

const bearer = /^Bearer +([^\s,]+)$/i

/** Reads the bearer token (RFC 6750) of a request: one field, one token, and it can be a key. */
function readToken([field = '', ...others]: readonly string[]): Token {
  if (others.length > 0) return 'malformed'
  if (field.trim() === '') return 'missing'
  const [, key] = bearer.exec(field) ?? []
  return key !== undefined && isApiKey(key) ? { key } : 'malformed'
}

function toHeaders(window: Window | undefined): ResponseHeaders {
  if (window === undefined) return {}
  return {
    'X-RateLimit-Limit': window.limit,
    'X-RateLimit-Remaining': window.remaining,
    'X-RateLimit-Reset': Math.ceil((Date.now() + window.left) / 1000),
  }
}

// RFC 6750, section 3.1: no error code for a request without credentials.
function unauthorized(token: Token): ApiError {
  if (token === 'missing') {
    const message = 'Send an API key: Authorization: Bearer <API_KEY>.'
    const headers = { 'WWW-Authenticate': 'Bearer' }
    return new ApiError({ status: 401, code: 'missing_api_key' }, message, { headers })
  }
  const headers = { 'WWW-Authenticate': 'Bearer error="invalid_token"' }
  const message = 'The API key is not valid.'
  return new ApiError({ status: 401, code: 'invalid_api_key' }, message, { headers })
}

function tooManyRequests({ outcome, window, retryAfter }: Verdict, hasKey: boolean): ApiError {
  const isLimited = !hasKey || outcome === 'limited'
  const period = hasKey ? '' : ' per minute without a valid API key'
  const reason = isLimited
    ? `The limit of ${window.limit} requests${period} is reached.`
    : 'The API key is banned after repeated requests over its limit.'
  const seconds = Math.max(1, Math.ceil(retryAfter / 1000))
  const code = isLimited ? 'rate_limited' : 'api_key_banned'
  return new ApiError({ status: 429, code }, `${reason} Retry in ${seconds} s.`, {
    headers: { 'Retry-After': seconds },
  })
}
