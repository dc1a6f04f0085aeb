import type { RequestHandler } from 'express'
import { ApiError } from '../contract/errors.ts'
import { fieldValues, type ResponseHeaders } from '../contract/headers.ts'
import { isPublic } from '../contract/operation.ts'
import type { KeyRecord } from '../store/key-store.ts'
import { isApiKey } from './api-key.ts'
import type { KeyCache } from './key-cache.ts'
import type { Outcome, RateLimits, Verdict, Window } from './rate-limits.ts'
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
  /** The ID of the API key, if it is valid. */
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
    if (error === undefined) locals.callerId = callerId
    next(error)
  }
}

/** Returns the function that checks API keys and rate limits. */
export function createAuthenticate(options: AuthenticationOptions): Authenticate {
  const { keyCache, usage, limits, onRejected } = options

  async function withoutKey(token: Token, credentials: Credentials): Promise<Authentication> {
    const verdict = await limits?.countAddress(credentials.address())
    const headers = verdict === undefined ? {} : toHeaders(verdict.window)
    if (verdict !== undefined && verdict.outcome !== 'allowed') {
      onRejected?.('address')
      return { headers, error: addressLimited(verdict) }
    }
    if (token === 'missing' && credentials.isKeyOptional()) return { headers }
    return { headers, error: unauthorized(token) }
  }

  async function withKey({ id, perMinute, perDay }: KeyRecord): Promise<Authentication> {
    const verdict = await limits?.countKey(id, { perMinute, perDay })
    if (verdict === undefined || verdict.outcome === 'allowed') usage.count(id)
    if (verdict === undefined) return { headers: {}, callerId: id }
    const headers = toHeaders(verdict.window)
    if (verdict.outcome === 'allowed') return { headers, callerId: id }
    onRejected?.(verdict.outcome)
    return { headers, callerId: id, error: keyLimited(verdict) }
  }

  return async function authenticate(credentials) {
    const token = readToken(credentials.authorization)
    if (typeof token === 'string') return withoutKey(token, credentials)
    let record: KeyRecord | undefined
    try {
      record = await keyCache.check(token.key)
    } catch (error) {
      // Every response has the headers of a limit (the interface, "Rate limits").
      const window = await limits?.readAddress(credentials.address())
      const headers = window === undefined ? {} : toHeaders(window)
      return { headers, error: error instanceof Error ? error : new Error(String(error)) }
    }
    return record === undefined ? withoutKey('malformed', credentials) : withKey(record)
  }
}

type Token = 'missing' | 'malformed'

const bearer = /^Bearer +([^\s,]+)$/i

/** Reads the bearer token (RFC 6750) of a request: one field, one token, and it can be a key. */
function readToken([field = '', ...others]: readonly string[]): Token | { readonly key: string } {
  if (others.length > 0) return 'malformed'
  if (field.trim() === '') return 'missing'
  const [, key] = bearer.exec(field) ?? []
  return key !== undefined && isApiKey(key) ? { key } : 'malformed'
}

function toHeaders({ limit, remaining, left }: Window): ResponseHeaders {
  return {
    'X-RateLimit-Limit': limit,
    'X-RateLimit-Remaining': remaining,
    'X-RateLimit-Reset': Math.ceil((Date.now() + left) / 1000),
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

function addressLimited(verdict: Verdict): ApiError {
  const { limit } = verdict.window
  const message = `The limit of ${limit} requests per minute without a valid API key is reached.`
  return tooManyRequests('rate_limited', message, verdict)
}

function keyLimited(verdict: Verdict): ApiError {
  if (verdict.outcome === 'limited') {
    const message = `The limit of ${verdict.window.limit} requests is reached.`
    return tooManyRequests('rate_limited', message, verdict)
  }
  const message = 'The API key is banned after repeated requests over its limit.'
  return tooManyRequests('api_key_banned', message, verdict)
}

function tooManyRequests(
  code: 'rate_limited' | 'api_key_banned',
  message: string,
  { retryAfter }: Verdict,
): ApiError {
  const seconds = Math.max(1, Math.ceil(retryAfter / 1000))
  return new ApiError({ status: 429, code }, `${message} Retry in ${seconds} s.`, {
    headers: { 'Retry-After': seconds },
  })
}
