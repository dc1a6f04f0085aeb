/** How much a key was used on a day. */
export interface KeyUse {
  readonly keyId: string
  /** The day, in days since 1970 (UTC). */
  readonly day: number
  /** Requests within the key's limits. */
  readonly requests: number
  /** In milliseconds since 1970. */
  readonly lastUsedAt: number
}

/** Keeps how much each key was used on the last day that it was used. */
export interface UsageStore {
  /** Adds to what is kept; instances may add for the same key. */
  readonly add: (uses: readonly KeyUse[]) => Promise<void>
  readonly list: () => Promise<KeyUse[]>
}
