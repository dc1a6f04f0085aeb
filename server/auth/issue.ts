import type { KeyRecord } from '../store/key-store.ts'
import { createApiKey, createKeyId, digestOf, prefixOf } from './api-key.ts'
import type { Quota } from './rate-limits.ts'

/** The terms of a new key. */
export interface KeyTerms extends Quota {
  readonly name: string | undefined
  /** The name of a plan; the limits are stored with the key. */
  readonly plan: string
  /** When it expires, in milliseconds since 1970; undefined for never. */
  readonly expiresAt: number | undefined
}

/** A new key, which is shown once, and its record, which is stored. */
export interface IssuedKey {
  readonly key: string
  readonly record: KeyRecord
}

/** Creates a key, unless one is given, and its record. */
export function issueKey(terms: KeyTerms, key = createApiKey()): IssuedKey {
  const record = {
    id: createKeyId(),
    name: terms.name,
    plan: terms.plan,
    perMinute: terms.perMinute,
    perDay: terms.perDay,
    prefix: prefixOf(key),
    digest: Buffer.from(digestOf(key), 'hex'),
    createdAt: Date.now(),
    expiresAt: terms.expiresAt,
    revokedAt: undefined,
    replacedBy: undefined,
  }
  return { key, record }
}
