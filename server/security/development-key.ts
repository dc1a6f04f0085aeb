import { isApiKey } from './api-key.ts'
import { ApiKeyAuthenticator, type CheckKey, callerOfKey } from './api-key-authenticator.ts'
import type { Authenticator, CredentialSource } from './authenticator.ts'
import type { AnyAuthenticators } from './authenticators.ts'
import { readAuthorization } from './authorization-field.ts'
import { readBasicCredentials } from './basic-credentials.ts'

/** The name of the API key that the first start prints, outside production. */
export const developmentKeyName = 'development'

/**
 * Returns authenticators that also accept the API key for development, with all scopes: as a bearer token,
 * or as the password of any user. They must not be used in production.
 */
export function acceptDevelopmentKey(
  authenticators: AnyAuthenticators,
  keys: CheckKey,
): AnyAuthenticators {
  const entries = Object.entries(authenticators).map(([name, authenticator]) => {
    // Those of API keys accept it anyway.
    const isOfKeys = authenticator instanceof ApiKeyAuthenticator
    return [name, isOfKeys ? authenticator : acceptKey(authenticator, keys)] as const
  })
  return Object.fromEntries(entries)
}

function acceptKey(authenticator: Authenticator, keys: CheckKey): Authenticator {
  const { credential, challenge, advice } = authenticator
  return {
    credential,
    challenge,
    advice,
    async authenticate(source) {
      const key = readKey(source)
      const record = key === undefined ? undefined : await keys.check(key)
      const isForDevelopment = record?.name === developmentKeyName
      return isForDevelopment ? callerOfKey(record) : authenticator.authenticate(source)
    },
  }
}

function readKey(source: CredentialSource): string | undefined {
  const bearer = readAuthorization(source, 'Bearer')
  const basic = readBasicCredentials(source)
  const token = typeof bearer === 'string' ? undefined : bearer.credentials
  const password = typeof basic === 'string' ? undefined : basic.password
  const sent = token ?? password ?? ''
  return isApiKey(sent) ? sent : undefined
}
