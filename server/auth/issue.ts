import type { KeyRecord } from '../store/key-store.ts'
import { createApiKey, createKeyId, digestOf, prefixOf } from './api-key.ts'
import type { Quota } from './rate-limits.ts'

/** What a new key is to be. */
export interface KeyTerms extends Quota {
  readonly name: string | undefined
  /** A plan of the plan table; the limits are stated beside it, whatever the table says today. */
  readonly plan: string
  /** When it ends, in milliseconds since 1970; undefined for never. */
  readonly expiresAt: number | undefined
}

/** A new key, to be shown once, and the record of it, to be kept. */
export interface IssuedKey {
  readonly key: string
  readonly record: KeyRecord
}

/** Makes a new key, unless one is given, and its record. */
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
