import { errors, type FlattenedJWSInput, type JWTHeaderParameters } from 'jose'
import { reasonOf } from '../process/operator-error.ts'
import type { ThrottledLog } from '../process/throttled-log.ts'
import type { Discovery } from './discovery.ts'
import { loadProviderKeys, type ProviderKeys } from './provider-keys.ts'

/** Milliseconds that loading keys may take, discovery included. */
const loadTimeout = 2_000

/** Milliseconds after a failure until keys are loaded again. */
const retryPause = 1_000

/** Milliseconds after which keys are loaded again in the background. */
const refreshAge = 600_000

/** Milliseconds for which keys are used while new ones cannot be loaded. */
const maxAge = 3_600_000

/** Milliseconds between two loads for tokens with unknown keys. */
const rotationPause = 30_000

/** A load that has failed, and when, by the monotonic clock. */
interface Failure {
  readonly error: unknown
  readonly at: number
}

/** Finds the keys of tokens. The keys of the identity provider are loaded when the first token arrives. */
export class IdentityProvider {
  readonly #discovery: Discovery
  readonly #failures: ThrottledLog
  #keys: ProviderKeys | undefined
  /** The load that has not ended, which all requests share. */
  #loading: Promise<ProviderKeys> | undefined
  /** The last load, if it has failed. */
  #failure: Failure | undefined
  /** When keys were last loaded for a token with an unknown key. */
  #rotationAt = Number.NEGATIVE_INFINITY

  constructor(discovery: Discovery, failures: ThrottledLog) {
    this.#discovery = discovery
    this.#failures = failures
  }

  /** The issuer in tokens of this provider; undefined until its keys are loaded. */
  get issuer(): string | undefined {
    return this.#keys?.issuer
  }

  /**
   * Returns the key that verifies a token. Rejects with a `JOSEError` if there is none, and with a
   * `ProviderUnavailable` if the keys cannot be loaded.
   */
  async findKey(header: JWTHeaderParameters, token: FlattenedJWSInput) {
    const keysBefore = this.#keys
    const keys = await this.#usableKeys()
    try {
      return await keys.find(header, token)
    } catch (error) {
      const isUnknown = error instanceof errors.JWKSNoMatchingKey
      // A request that has waited for keys does not wait again.
      const hasWaited = keys !== keysBefore
      const isTooSoon = performance.now() - this.#rotationAt < rotationPause
      if (!isUnknown || hasWaited || isTooSoon) {
        throw error
      }
    }

    const newKeys = await this.#load()
    this.#rotationAt = performance.now()
    return newKeys.find(header, token)
  }

  async #usableKeys(): Promise<ProviderKeys> {
    const keys = this.#keys
    if (keys === undefined) {
      return this.#load()
    }

    const age = performance.now() - keys.loadedAt
    if (age > maxAge) {
      return this.#load()
    }
    if (age > refreshAge) {
      this.#loadInBackground()
    }
    return keys
  }

  /**
   * Loads keys. While the provider is unavailable, one request at a time waits for the next attempt; the
   * others are rejected at once.
   */
  #load(): Promise<ProviderKeys> {
    const failure = this.#currentFailure()
    return failure === undefined ? this.#startLoading() : Promise.reject(failure.error)
  }

  #loadInBackground(): void {
    if (this.#currentFailure() === undefined) {
      // The failure is kept for later requests, and logged.
      this.#startLoading().catch(() => undefined)
    }
  }

  /** Returns the last failure until the next attempt, and during that attempt. */
  #currentFailure(): Failure | undefined {
    const failure = this.#failure
    if (failure === undefined) {
      return undefined
    }
    const isPaused = performance.now() - failure.at < retryPause
    return isPaused || this.#loading !== undefined ? failure : undefined
  }

  #startLoading(): Promise<ProviderKeys> {
    this.#loading ??= this.#loadNow()
    return this.#loading
  }

  async #loadNow(): Promise<ProviderKeys> {
    try {
      const keys = await loadProviderKeys(this.#discovery, AbortSignal.timeout(loadTimeout))
      this.#keys = keys
      this.#failure = undefined
      return keys
    } catch (error) {
      this.#failure = { error, at: performance.now() }
      this.#failures.record(undefined, reasonOf(error))
      throw error
    } finally {
      this.#loading = undefined
    }
  }
}
