import type { AuthenticatorOptions, Authenticators } from '../served-api.ts'

/** Returns what checks the credentials of each security scheme of the description. */
export function createAuthenticators({ apiKeys }: AuthenticatorOptions): Authenticators {
  return {
    apiKey: apiKeys('apiKey'),
  }
}
