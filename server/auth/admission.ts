import { ApiError } from '../contract/errors.ts'
import type { ResponseHeaders } from '../contract/headers.ts'
import type { AddressLimit } from './address-limit.ts'
import { type Credential, readCredential } from './credential.ts'
import type { KeyCache } from './key-cache.ts'
import type { KeyLimits, LimitVerdict } from './key-limits.ts'
import type { UsageMeter } from './usage-meter.ts'
import { secondsUntil, type Window } from './window.ts'

/** What was decided of a request before anything else of it is looked at. */
export interface Admission {
  readonly headers: ResponseHeaders
  /** The id of the key that was found good. */
  readonly callerId?: string
  /** Why the request goes no further: a `ApiError`, or what the store failed with. */
  readonly refusal?: Error
}

export interface AdmissionOptions {
  readonly keyCache: KeyCache
  /** Told of every request that a key was good for. */
  readonly usage: Pick<UsageMeter, 'count'>
  /** Absent when limits are off. */
  readonly limits?: {
    readonly ofKey: KeyLimits
    readonly ofAddress: AddressLimit
  }
  /** Told of every request that a limit refused. */
  readonly onRejected?: ((by: RejectedBy) => void) | undefined
}

/** What refused a request: the limit of its address, that of its key, or a ban of the key. */
export type RejectedBy = 'address' | Exclude<LimitVerdict['outcome'], 'allowed'>

/** What a request is decided by. */
export interface Applicant {
  /** Its `Authorization` fields. */
  readonly credentials: readonly string[] | undefined
  /** Asked for where nobody is known by a key. */
  readonly address: () => string
  /** Whether the operation that it means may be called without a key. */
  readonly isKeyOptional: () => boolean
}

export type Admit = (applicant: Applicant) => Promise<Admission>

/** Makes the decision on who may call, and how often. */
export function createAdmission({ keyCache, usage, limits, onRejected }: AdmissionOptions): Admit {
  async function identify(key: string) {
    try {
      return await keyCache.check(key)
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  async function admitUnknown(credential: Credential, applicant: Applicant): Promise<Admission> {
    const window = await limits?.ofAddress.add(applicant.address())
    const headers = window === undefined ? {} : limitHeaders(window)
    if (window?.isExceeded) {
      onRejected?.('address')
      return { headers, refusal: tooMany(window) }
    }
    if (applicant.isKeyOptional() && credential.kind === 'missing') return { headers }
    return { headers, refusal: unauthorized(credential) }
  }

  return async function admit(applicant) {
    const credential = readCredential(applicant.credentials)
    if (credential.kind !== 'key') return admitUnknown(credential, applicant)
    const caller = await identify(credential.key)
    if (caller === undefined) return admitUnknown(credential, applicant)
    if (caller instanceof Error) {
      // Every response has the headers of a limit (the interface, "Rate limits").
      const window = await limits?.ofAddress.read(applicant.address())
      return { headers: window === undefined ? {} : limitHeaders(window), refusal: caller }
    }
    const verdict = await limits?.ofKey(caller.id, caller)
    const callerId = caller.id
    if (verdict === undefined || verdict.outcome === 'allowed') usage.count(callerId)
    if (verdict === undefined) return { headers: {}, callerId }
    const headers = limitHeaders(verdict.window)
    if (verdict.outcome === 'allowed') return { headers, callerId }
    onRejected?.(verdict.outcome)
    return { headers, callerId, refusal: overLimit(verdict) }
  }
}

/** The header fields that show a window. */
export function limitHeaders({ limit, remaining, resetAt }: Window): ResponseHeaders {
  return {
    'X-RateLimit-Limit': limit,
    'X-RateLimit-Remaining': remaining,
    'X-RateLimit-Reset': Math.ceil(resetAt / 1000),
  }
}

// RFC 6750, section 3.1: no error code for a request that carried no credential.
function unauthorized({ kind }: Credential): ApiError {
  if (kind === 'missing') {
    const message = 'Send an API key: Authorization: Bearer <API_KEY>.'
    const headers = { 'WWW-Authenticate': 'Bearer' }
    return new ApiError({ status: 401, code: 'missing_api_key' }, message, { headers })
  }
  const headers = { 'WWW-Authenticate': 'Bearer error="invalid_token"' }
  const message = 'The API key is not valid.'
  return new ApiError({ status: 401, code: 'invalid_api_key' }, message, { headers })
}

function tooMany({ limit, resetAt }: Window): ApiError {
  const seconds = secondsUntil(resetAt)
  const message = `The limit of ${limit} requests per minute without a valid API key is reached. Retry in ${seconds} s.`
  const headers = { 'Retry-After': seconds }
  return new ApiError({ status: 429, code: 'rate_limited' }, message, { headers })
}

function overLimit({ outcome, window, retryAt }: LimitVerdict): ApiError {
  const seconds = secondsUntil(retryAt)
  const headers = { 'Retry-After': seconds }
  if (outcome !== 'limited') {
    const message = `The API key is banned after repeated requests over its limit. Retry in ${seconds} s.`
    return new ApiError({ status: 429, code: 'api_key_banned' }, message, { headers })
  }
  const message = `The limit of ${window.limit} requests is reached. Retry in ${seconds} s.`
  return new ApiError({ status: 429, code: 'rate_limited' }, message, { headers })
}
