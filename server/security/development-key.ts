import type { KeyRecord } from '../store/key-store.ts'
import { isApiKey, issueKey } from './api-key.ts'
import { ApiKeyAuthenticator, type CheckKey, callerOfKey } from './api-key-authenticator.ts'
import type { Authenticator, CredentialSource } from './authenticator.ts'
import type { AnyAuthenticators } from './authenticators.ts'
import { readAuthorization } from './authorization-field.ts'
import { readBasicCredentials } from './basic-credentials.ts'
import { type Plans, planForDevelopment } from './plans.ts'

// The commands for keys choose no ID, and a rotation makes another one: so no other key has it. Any key may
// have the name.
const idPrefix = 'key_development_'

/** Creates the API key for development, which the first start prints, unless a key is given. */
export function issueDevelopmentKey(plans: Plans, key?: string) {
  const terms = { name: 'development', expiresAt: undefined, ...planForDevelopment(plans) }
  return issueKey(terms, key, idPrefix)
}

/** Returns the ID of a key for development that ends with a text. */
export function developmentId(end: string): string {
  return idPrefix + end
}

/** Returns whether a key is the one for development. */
function isForDevelopment({ id }: Pick<KeyRecord, 'id'>): boolean {
  return id.startsWith(idPrefix)
}

/**
 * Returns authenticators that also accept the API key for development, with all scopes: as a bearer token,
 * or as the password of any user. They must not be used in production.
 */
export function acceptDevelopmentKey(
  authenticators: AnyAuthenticators,
  keys: CheckKey,
): AnyAuthenticators {
  const entries = Object.entries(authenticators).map(([name, authenticator]) => {
    const acceptsAnyKey = authenticator instanceof ApiKeyAuthenticator
    return [name, acceptsAnyKey ? authenticator : acceptKey(authenticator, keys)] as const
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
      const isAccepted = record !== undefined && isForDevelopment(record)
      return isAccepted ? callerOfKey(record) : authenticator.authenticate(source)
    },
  }
}

function readKey(source: CredentialSource): string | undefined {
  const bearer = readAuthorization(source, 'Bearer')
  const basic = readBasicCredentials(source)
  const token = typeof bearer === 'string' ? undefined : bearer.credentials
  const password = typeof basic === 'string' ? undefined : basic.password
  const key = token ?? password ?? ''
  return isApiKey(key) ? key : undefined
}
