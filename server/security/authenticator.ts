import type { JsonObject } from '../description/json.ts'
import type { Quota } from './plans.ts'

/** Where an authenticator finds the credentials of a request. */
export interface CredentialSource {
  /** Header fields by their names in lower case, each value as it was sent. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>
  /** Returns the values of a query parameter, decoded. */
  queryValues(name: string): readonly string[]
  /** Returns the values of a cookie. */
  cookieValues(name: string): readonly string[]
}

/** Who sends a request. */
export interface Caller {
  /** Identifies the caller in limits, usage, idempotency and logs: the ID of a key, or a digest of issuer and subject. */
  readonly id: string
  /** The requests that the caller may make. */
  readonly quota: Quota
  /** The scopes that the caller has; undefined if it has all of them. */
  readonly scopes: ReadonlySet<string> | undefined
  /** The claims of its token; empty for other credentials. */
  readonly claims: JsonObject
}

/** The result of looking for credentials: who calls, `invalid` for credentials that are not, or `absent`. */
export type Authentication = Caller | 'invalid' | 'absent'

/** Checks the credentials of one security scheme. */
export interface Authenticator {
  /** The challenge of a 401 without its parameters of an error, such as `Bearer` or `Basic realm="books"` (RFC 9110, section 11.6.1). */
  readonly challenge: string
  /** What a request must have, for people: a sentence such as `Send an API key: Authorization: Bearer <API_KEY>.` */
  readonly advice: string
  /** Authenticates a request; rejects with an `ApiError` of 503 if that cannot be decided now. */
  authenticate(source: CredentialSource): Promise<Authentication>
}
