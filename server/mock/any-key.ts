import { digestOf, prefixOf } from '../access/api-key.ts'
import type { Keyring } from '../access/keyring.ts'
import { plans } from '../access/plans.ts'

/** Makes a keyring that takes every key of the right form, each with limits of its own. */
export function createAnyKeyring(): Keyring {
  return {
    async check(key) {
      const digest = digestOf(key)
      return {
        id: `key_${digest.slice(0, 12)}`,
        name: undefined,
        plan: 'business',
        ...plans.business,
        prefix: prefixOf(key),
        digest: Buffer.from(digest, 'hex'),
        createdAt: 0,
        expiresAt: undefined,
        revokedAt: undefined,
        replacedBy: undefined,
      }
    },
  }
}
