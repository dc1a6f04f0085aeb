import { isApiKey } from './api-key.ts'

/** What the `Authorization` fields of a request hold. */
export type Credential =
  | { readonly kind: 'missing' | 'malformed' }
  | { readonly kind: 'key'; readonly key: string }

const bearer = /^Bearer +([^\s,]+)$/i

/** Reads the bearer token (RFC 6750) of a request: one field, one token, and it can be a key. */
export function readCredential(fields: readonly string[] = []): Credential {
  const [field = '', ...more] = fields
  if (more.length === 0 && field.trim() === '') return { kind: 'missing' }
  const [, key] = (more.length === 0 && bearer.exec(field)) || []
  return key !== undefined && isApiKey(key) ? { kind: 'key', key } : { kind: 'malformed' }
}
