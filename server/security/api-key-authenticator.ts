import type { JsonObject } from '../description/json.ts'
import type { KeyRecord } from '../store/key-store.ts'
import { isApiKey } from './api-key.ts'
import type { Authenticator, Caller, CredentialSource } from './authenticator.ts'
import type { KeyCache } from './key-cache.ts'
import { textsOfApiKeys } from './scheme-texts.ts'

/** Checks API keys. */
export type CheckKey = Pick<KeyCache, 'check'>

/** Reads an API key: undefined if none was sent, an empty text for one that cannot be valid. */
type ReadKey = (source: CredentialSource) => string | undefined

/**
 * Returns the authenticator of API keys, which are read where a security scheme says: as a bearer token, or
 * in a header, in the query or in a cookie.
 */
export function createApiKeyAuthenticator(form: JsonObject, keys: CheckKey): Authenticator {
  const readKey = createReadKey(form)
  return {
    ...textsOfApiKeys(form),
    async authenticate(source) {
      const key = readKey(source)
      if (key === undefined) {
        return 'absent'
      }

      const record = isApiKey(key) ? await keys.check(key) : undefined
      return record === undefined ? 'invalid' : toCaller(record)
    },
  }
}

function createReadKey({ type, in: location, name }: JsonObject): ReadKey {
  const field = String(name)
  if (type !== 'apiKey') {
    return ({ headers }) => readBearer(onlyValue(headers['authorization']))
  }
  if (location === 'query') {
    return (source) => onlyValue(source.queryValues(field))
  }
  if (location === 'cookie') {
    return (source) => onlyValue(source.cookieValues(field))
  }
  return ({ headers }) => onlyValue(headers[field.toLowerCase()])
}

/** Returns the one value that was sent; undefined if there is none, an empty text if there are several. */
function onlyValue([value = '', ...others]: readonly string[] = []): string | undefined {
  if (others.length > 0) {
    return ''
  }
  return value.trim() === '' ? undefined : value
}

const bearer = /^Bearer +([^\s,]+)$/i

/** Reads a bearer token (RFC 6750). */
function readBearer(field: string | undefined): string | undefined {
  if (field === undefined) {
    return undefined
  }
  const [, token = ''] = bearer.exec(field) ?? []
  return token
}

function toCaller({ id, perMinute, perDay }: KeyRecord): Caller {
  return { id, quota: { perMinute, perDay }, scopes: undefined, claims: {} }
}
