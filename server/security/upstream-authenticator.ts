import { createHmac } from 'node:crypto'
import type { SecurityScheme } from '../description/security.ts'
import type { Authentication, Authenticator, CredentialSource } from './authenticator.ts'
import { createPlanChoice, type PlanOptions } from './plan-choice.ts'
import type { Quota } from './plans.ts'
import { sentValues } from './request-credentials.ts'
import { textsOf } from './scheme-texts.ts'

export interface UpstreamAuthenticatorOptions extends PlanOptions {
  readonly scheme: SecurityScheme
  /** Whether there is an upstream; without one, no credentials are valid. */
  readonly hasUpstream: boolean
  /** The key of the digests that identify callers. */
  readonly secret: Uint8Array
}

/**
 * Lets every credential of a security scheme pass, because the upstream checks it. It must not secure an
 * operation that has a handler (`assertPassedToUpstream`).
 */
export class UpstreamAuthenticator implements Authenticator {
  readonly credential: string
  readonly challenge: string
  readonly advice: string
  readonly #scheme: SecurityScheme
  readonly #hasUpstream: boolean
  readonly #secret: Uint8Array
  readonly #quota: Quota

  constructor(options: UpstreamAuthenticatorOptions) {
    const { scheme, hasUpstream, secret } = options
    const { credential, challenge, advice } = textsOf(scheme)
    this.credential = credential
    this.challenge = challenge
    this.advice = advice
    this.#scheme = scheme
    this.#hasUpstream = hasUpstream
    this.#secret = secret
    this.#quota = createPlanChoice(scheme.name, options)(undefined)
  }

  async authenticate(source: CredentialSource): Promise<Authentication> {
    const { name, form } = this.#scheme
    const credentials = sentValues(form, source).filter((value) => value.trim() !== '')
    if (credentials.length === 0) {
      return 'absent'
    }
    if (!this.#hasUpstream) {
      return 'invalid'
    }

    // With a key, a digest in a log does not let its readers try passwords.
    const digest = createHmac('sha256', this.#secret).update(JSON.stringify([name, ...credentials]))
    return {
      id: `upstream_${digest.digest('hex').slice(0, 32)}`,
      quota: this.#quota,
      scopes: undefined,
      claims: {},
      isUnchecked: true,
    }
  }
}
