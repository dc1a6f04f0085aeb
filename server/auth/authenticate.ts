import type { RequestHandler } from 'express'
import { LRUCache } from 'lru-cache'
import { ApiError } from '../contract/errors.ts'
import type { ResponseHeaders } from '../contract/headers.ts'
import type { Operation } from '../contract/operation.ts'
import type { KeyRecord, KeyStore } from '../store/key-store.ts'
import { digestOf, isApiKey } from './api-key.ts'
import type { RateLimits, Verdict } from './rate-limits.ts'
import type { UsageCounter } from './usage-counter.ts'

/**
 * Returns the middleware that checks the API key and the rate limits of each request, and adds their
 * headers to the response. `usage` counts every request with a valid key; without `limits` there are none.
 */
export function authentication(
  keyCache: KeyCache,
  usage: Pick<UsageCounter, 'count'>,
  limits: RateLimits | undefined,
): RequestHandler {
  return async function checkKey(request, { locals }, next) {
    const key = readKey(request.headersDistinct['authorization'])
    let record: KeyRecord | undefined
    try {
      if (key) record = await keyCache.check(key)
    } catch (error) {
      // Every response has the headers of a limit (the interface, "Rate limits").
      if (limits) addHeaders(locals.headers, await limits.countAddress(request.ip, false))
      throw error
    }
    if (limits !== undefined) {
      const verdict = await (record ? limits.countKey(record) : limits.countAddress(request.ip))
      addHeaders(locals.headers, verdict)
      if (verdict.outcome !== 'allowed') {
        locals.rejectedBy = record === undefined ? 'address' : verdict.outcome
        throw tooManyRequests(verdict, record !== undefined)
      }
    }
    if (record !== undefined) {
      usage.count(record.id)
      locals.callerId = record.id
    } else if (key !== undefined || !isPublic(locals.operation)) throw unauthorized(key)
    next()
  }
}

/** Returns whether an operation may be called without credentials. */
function isPublic(operation: Operation | undefined): boolean {
  if (operation === undefined) return false
  const { security } = operation
  return security.length === 0 || security.some((each) => Object.keys(each).length === 0)
}

const bearer = /^Bearer +([^\s,]+)$/i

/**
 * Reads the bearer token (RFC 6750) of a request: one field, one token. Returns undefined if none was
 * sent, and an empty text for one that cannot be a key.
 */
function readKey([field = '', ...others]: readonly string[] = []): string | undefined {
  if (others.length > 0) return ''
  if (field.trim() === '') return undefined
  const [, key = ''] = bearer.exec(field) ?? []
  return isApiKey(key) ? key : ''
}

function addHeaders(headers: ResponseHeaders, { limit, remaining, left }: Verdict): void {
  headers['X-RateLimit-Limit'] = limit
  headers['X-RateLimit-Remaining'] = remaining
  headers['X-RateLimit-Reset'] = Math.ceil((Date.now() + left) / 1000)
}

// RFC 6750, section 3.1: no error code for a request without credentials.
function unauthorized(key: string | undefined): ApiError {
  if (key === undefined) {
    const message = 'Send an API key: Authorization: Bearer <API_KEY>.'
    const headers = { 'WWW-Authenticate': 'Bearer' }
    return new ApiError({ status: 401, code: 'missing_api_key' }, message, { headers })
  }
  const headers = { 'WWW-Authenticate': 'Bearer error="invalid_token"' }
  const message = 'The API key is not valid.'
  return new ApiError({ status: 401, code: 'invalid_api_key' }, message, { headers })
}

function tooManyRequests({ outcome, limit, retryAfter }: Verdict, hasKey: boolean): ApiError {
  const isLimited = !hasKey || outcome === 'limited'
  const period = hasKey ? '' : ' per minute without a valid API key'
  const reason = isLimited
    ? `The limit of ${limit} requests${period} is reached.`
    : 'The API key is banned after repeated requests over its limit.'
  const seconds = Math.max(1, Math.ceil(retryAfter / 1000))
  const code = isLimited ? 'rate_limited' : 'api_key_banned'
  const headers = { 'Retry-After': seconds }
  return new ApiError({ status: 429, code }, `${reason} Retry in ${seconds} s.`, { headers })
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
export class StoredKeyCache implements KeyCache {
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
