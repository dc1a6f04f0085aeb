import type { Logger } from 'pino'
import type { Discovery } from './discovery.ts'
import type { TokenVerifier } from './token-verifier.ts'

/** The verifiers of a service, one for each identity provider: several security schemes may have the same. */
export class TokenVerifiers {
  readonly #audience: string
  readonly #log: Logger
  /** By the URL of the discovery document. */
  readonly #opened = new Map<string, Promise<TokenVerifier>>()

  constructor(audience: string, log: Logger) {
    this.#audience = audience
    this.#log = log
  }

  /** Returns the verifier for the tokens of a provider. */
  open(discovery: Discovery): Promise<TokenVerifier> {
    return this.#opened.getOrInsertComputed(discovery.url, async () => {
      // A service without tokens does not load jose.
      const { TokenVerifier } = await import('./token-verifier.ts')
      return new TokenVerifier(discovery, this.#audience, this.#log)
    })
  }
}
