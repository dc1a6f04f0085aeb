/** An API key as it is kept: its digest, never the key. Times are in milliseconds since 1970. */
export interface KeyRecord {
  readonly id: string
  readonly name: string | undefined
  readonly plan: string
  readonly perMinute: number
  readonly perDay: number
  /** The beginning of the key, enough to recognise it. */
  readonly prefix: string
  /** SHA-256 of the whole key. */
  readonly digest: Uint8Array
  readonly createdAt: number
  readonly expiresAt: number | undefined
  readonly revokedAt: number | undefined
  /** The id of the key that was made in its place. */
  readonly replacedBy: string | undefined
}

/** When a key ends: at a time, or at once by a revocation, which depends on no clock. */
export type KeyEnd = Pick<KeyRecord, 'expiresAt' | 'revokedAt'>

/** Keeps API keys. */
export interface KeyStore {
  readonly add: (record: KeyRecord) => Promise<void>
  /** Adds a key as the very first, and says whether it is: where many ask at once, one is. */
  readonly addFirst: (record: KeyRecord) => Promise<boolean>
  readonly find: (id: string) => Promise<KeyRecord | undefined>
  readonly findByDigest: (digest: Uint8Array) => Promise<KeyRecord | undefined>
  /**
   * The digests of keys that were added after a position, 0 for the first, so many at most and
   * oldest first, and the position of the last of them.
   */
  readonly digestsAfter: (
    position: number,
    limit: number,
  ) => Promise<{ readonly digests: readonly Uint8Array[]; readonly position: number }>
  /** Every key, oldest first. */
  readonly list: () => Promise<KeyRecord[]>
  readonly revoke: (id: string, at: number) => Promise<void>
  /**
   * Ends a key and adds its successor, both or neither. Returns false, and changes nothing, if the
   * key was revoked or replaced before.
   */
  readonly replace: (id: string, end: KeyEnd, successor: KeyRecord) => Promise<boolean>
}
