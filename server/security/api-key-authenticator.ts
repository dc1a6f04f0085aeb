import type { JsonObject } from '../description/json.ts'
import type { KeyRecord } from '../store/key-store.ts'
import { isApiKey } from './api-key.ts'
import type { Authentication, Authenticator, Caller, CredentialSource } from './authenticator.ts'
import { readAuthorization } from './authorization-field.ts'
import type { KeyCache } from './key-cache.ts'
import { sentValues } from './request-credentials.ts'
import { textsOfApiKeys } from './scheme-texts.ts'

/** Checks API keys. */
export type CheckKey = Pick<KeyCache, 'check'>

/** Reads an API key: undefined if none was sent, an empty text for one that cannot be valid. */
type ReadKey = (source: CredentialSource) => string | undefined

/**
 * Checks API keys of the store, which are read where a security scheme says: as a bearer token, or in a
 * header, in the query or in a cookie.
 */
export class ApiKeyAuthenticator implements Authenticator {
  readonly credential: string
  readonly challenge: string
  readonly advice: string
  readonly #readKey: ReadKey
  readonly #keys: CheckKey

  constructor(form: JsonObject, keys: CheckKey) {
    const { credential, challenge, advice } = textsOfApiKeys(form)
    this.credential = credential
    this.challenge = challenge
    this.advice = advice
    this.#readKey = createReadKey(form)
    this.#keys = keys
  }

  async authenticate(source: CredentialSource): Promise<Authentication> {
    const key = this.#readKey(source)
    if (key === undefined) {
      return 'absent'
    }

    const record = isApiKey(key) ? await this.#keys.check(key) : undefined
    return record === undefined ? 'invalid' : callerOfKey(record)
  }
}

function createReadKey(form: JsonObject): ReadKey {
  if (form['type'] !== 'apiKey') {
    return readBearer
  }
  return (source) => onlyValue(sentValues(form, source))
}

/** Returns the one value that was sent; undefined if there is none, an empty text if there are several. */
function onlyValue([value = '', ...otherValues]: readonly string[]): string | undefined {
  if (otherValues.length > 0) {
    return ''
  }
  return value.trim() === '' ? undefined : value
}

/** Reads a bearer token (RFC 6750). */
function readBearer(source: CredentialSource): string | undefined {
  const token = readAuthorization(source, 'Bearer')
  if (token === 'absent') {
    return undefined
  }
  return token === 'invalid' ? '' : token.credentials
}

/** Returns the caller that an API key belongs to, which has all scopes. */
export function callerOfKey({ id, perMinute, perDay }: KeyRecord): Caller {
  return { id, quota: { perMinute, perDay }, scopes: undefined, claims: {} }
}
