import type { CallerIdentity } from '../contract/handler.ts'
import type { CredentialTexts } from '../description/credential-texts.ts'
import type { Quota } from './plans.ts'

/** Where an authenticator finds the credentials of a request. */
export interface CredentialSource {
  /** Header fields by their names in lower case, each value as it was sent. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>
  /** Returns the values of a query parameter, decoded. */
  queryValues(name: string): readonly string[]
  /** Returns the values of a cookie. */
  cookieValues(name: string): readonly string[]
  /**
   * Runs a check of credentials that can be guessed, such as a password; it resolves to undefined if they are
   * wrong. Returns undefined without running it once the limit of the client's address is reached.
   */
  checkGuess<User>(check: () => Promise<User | undefined>): Promise<User | undefined>
}

/** Who sends a request. */
export interface Caller extends CallerIdentity {
  /** The requests that the caller may make. */
  readonly quota: Quota
  /** Whether nothing has checked its credentials yet: the upstream does. */
  readonly isUnchecked?: boolean
}

/** The result of looking for credentials: who calls, `invalid` for credentials that are not, or `absent`. */
export type Authentication = Caller | 'invalid' | 'absent'

/** How messages and challenges name the credentials of one security scheme. */
export interface SchemeTexts extends CredentialTexts {
  /** The challenge of a 401 without its parameters of an error, such as `Bearer` or `Basic realm="books"` (RFC 9110, section 11.6.1). */
  readonly challenge: string
}

/** Checks the credentials of one security scheme. */
export interface Authenticator extends SchemeTexts {
  /** Authenticates a request; rejects with an `ApiError` of 503 if that cannot be decided now. */
  authenticate(source: CredentialSource): Promise<Authentication>
}
