import { errors, jwtVerify } from 'jose'
import type { Logger } from 'pino'
import type { JsonObject } from '../description/json.ts'
import { reasonOf } from '../process/operator-error.ts'
import { ThrottledLog } from '../process/throttled-log.ts'
import type { Discovery } from './discovery.ts'
import { IdentityProvider } from './identity-provider.ts'
import { ProviderUnavailable } from './provider-keys.ts'

/** Algorithms with a public key: with a secret one, everyone who knows the public key could sign. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512'],
  ...['PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512'],
  ...['EdDSA', 'Ed25519'],
]

/** Seconds by which the clocks of the provider and of the service may differ. */
const clockTolerance = 30

/** The claims of a valid token. */
export interface VerifiedClaims extends JsonObject {
  readonly iss: string
  readonly sub: string
}

/** Verifies tokens of an identity provider for an audience. */
export class TokenVerifier {
  readonly #provider: IdentityProvider
  readonly #audience: string
  readonly #failures: ThrottledLog
  readonly #log: Logger

  constructor(discovery: Discovery, audience: string, log: Logger) {
    this.#failures = new ThrottledLog(log, {
      startMessage: 'identity provider unavailable',
      endMessage: 'identity provider: no more failures',
      action: 'check OIDC_ISSUER, and that the identity provider can be reached',
    })
    this.#provider = new IdentityProvider(discovery, this.#failures)
    this.#audience = audience
    this.#log = log
  }

  /** Verifies a token; the result is `unavailable` while the keys to decide that are missing. */
  async verify(token: string): Promise<VerifiedClaims | 'invalid' | 'unavailable'> {
    try {
      return await this.#verify(token)
    } catch (error) {
      if (error instanceof errors.JOSEError) {
        // Only the message: other properties of the error have the claims of the token.
        this.#log.debug({ reason: error.message }, 'token rejected')
        return 'invalid'
      }
      if (!(error instanceof ProviderUnavailable)) {
        // What is left are keys of the provider that cannot be used, such as short ones.
        this.#failures.record(undefined, `a key cannot be used: ${reasonOf(error)}`)
      }
      return 'unavailable'
    }
  }

  async #verify(token: string): Promise<VerifiedClaims> {
    const provider = this.#provider
    const { payload } = await jwtVerify(token, (header, parts) => provider.findKey(header, parts), {
      algorithms,
      audience: this.#audience,
      clockTolerance,
      requiredClaims: ['iss', 'sub', 'exp'],
    })
    const { iss, sub } = payload
    // The issuer is known once the keys are loaded.
    if (iss === undefined || iss !== provider.issuer) {
      throw new errors.JWTInvalid('unexpected "iss" claim value')
    }
    if (typeof sub !== 'string' || sub === '') {
      throw new errors.JWTInvalid('the "sub" claim must be a text')
    }
    return { ...payload, iss, sub }
  }
}
