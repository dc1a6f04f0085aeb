import type { RequestHandler } from 'express'
import { LRUCache } from 'lru-cache'
import { ApiError } from '../contract/errors.ts'
import type { ResponseHeaders } from '../contract/headers.ts'
import type { Operation } from '../contract/operation.ts'
import { fieldValues } from '../contract/request-context.ts'
import type { KeyRecord, KeyStore } from '../store/key-store.ts'
import { digestOf, isApiKey } from './api-key.ts'
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

/** The client of a request, or why the request is rejected. */
export interface Authentication {
  readonly headers: ResponseHeaders
  /** The ID of the API key, if it is valid and within its limits. */
  readonly callerId?: string
  readonly error?: Error
}

/**
 * Returns the middleware that checks the API key and the rate limits of each request, and adds their
 * headers to the response.
 */
export function authentication(options: AuthenticationOptions): RequestHandler {
  const authenticate = createAuthenticate(options)
  return async function checkKey(request, { locals }, next) {
    const authorization = fieldValues(request, 'authorization')
    const address = () => request.ip ?? ''
    const { headers, callerId, error } = await authenticate(
      authorization,
      address,
      isPublic(locals.operation),
    )
    Object.assign(locals.headers, headers)
    locals.callerId = callerId
    next(error)
  }
}

/** Returns whether an operation may be called without credentials. */
function isPublic(operation: Operation | undefined): boolean {
  if (operation === undefined) return false
  const { security } = operation
  return security.length === 0 || security.some((each) => Object.keys(each).length === 0)
}

/**
 * Returns the function that checks the values of `Authorization` and the rate limits of the key, or of
 * the address of the client.
 */
export function createAuthenticate({ keyCache, usage, limits, onRejected }: AuthenticationOptions) {
  return async function authenticate(
    authorization: readonly string[],
    address: () => string,
    isKeyOptional: boolean,
  ): Promise<Authentication> {
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
    return token === 'missing' && isKeyOptional
      ? { headers }
      : { headers, error: unauthorized(token) }
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

/** Milliseconds for which a record is cached; a revocation applies everywhere within five seconds. */
const freshness = 3_000
/** The most records that are cached; beyond it, the least recently used is dropped. */
const capacity = 10_000
/** Milliseconds between two queries for new keys, at least. */
const pause = 50
/** Digests of one query: far fewer than a store reads within its timeout. */
const pageSize = 10_000

/** Returns the record of a key; undefined if it is unknown, revoked or expired. */
export interface KeyCache {
  readonly check: (key: string) => Promise<KeyRecord | undefined>
}

/**
 * Caches the records of keys for three seconds, and the digests of all keys that were issued, a hundred
 * bytes each. However many unknown keys are sent, the store is queried for new ones every 50 ms at most,
 * and requests that wait share the query.
 */
export class StoredKeys implements KeyCache {
  readonly #keys: KeyStore
  readonly #records = new LRUCache<string, KeyRecord>({
    max: capacity,
    ttl: freshness,
    ttlResolution: 0,
    // Monotonic: no key outlives a clock that is set back.
    perf: { now: () => performance.now() },
  })
  readonly #issued = new Set<string>()
  #position = 0
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | undefined

  constructor(keys: KeyStore) {
    this.#keys = keys
  }

  async check(key: string): Promise<KeyRecord | undefined> {
    const digest = digestOf(key)
    const record = this.#records.get(digest) ?? (await this.#find(digest))
    // A revocation applies at once, whatever the clock of the machine that wrote it.
    if (record === undefined || record.revokedAt !== undefined) return undefined
    return (record.expiresAt ?? Number.POSITIVE_INFINITY) > Date.now() ? record : undefined
  }

  async #find(digest: string): Promise<KeyRecord | undefined> {
    if (!this.#issued.has(digest)) {
      this.#reading ??= this.#readIssued()
      await this.#reading
      if (!this.#issued.has(digest)) return undefined
    }
    // As old as the query: the response of a slow store may be out of date when it arrives.
    const start = performance.now()
    const record = await this.#keys.findByDigest(Buffer.from(digest, 'hex'))
    if (record !== undefined) this.#records.set(digest, record, { start })
    return record
  }

  async #readIssued(): Promise<void> {
    const wait = this.#readAt + pause - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    try {
      // After a failed page, the next query continues there.
      for (let count = pageSize; count === pageSize; ) {
        const { digests, position } = await this.#keys.digestsAfter(this.#position, pageSize)
        for (const digest of digests) this.#issued.add(Buffer.from(digest).toString('hex'))
        this.#position = position
        count = digests.length
      }
    } finally {
      this.#readAt = performance.now()
      this.#reading = undefined
    }
  }
}
