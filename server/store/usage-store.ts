import type { ColumnType, Engine } from './engine.ts'

/** How much a key was used on one day. */
export interface KeyUse {
  readonly keyId: string
  /** The day, in days since 1970 (UTC). */
  readonly day: number
  /** Requests within the limits of the key. */
  readonly requests: number
  /** In milliseconds since 1970. */
  readonly lastUsedAt: number
}

/** The fields of a `KeyUse`, in the order of the columns. */
const members = {
  keyId: 'text',
  day: 'bigint',
  requests: 'bigint',
  lastUsedAt: 'bigint',
} as const satisfies Record<keyof KeyUse, ColumnType>

const list = 'SELECT key_id AS "keyId", day, requests, last_used_at AS "lastUsedAt" FROM key_usage'

export type UsageStore = ReturnType<typeof createUsageStore>

/** Stores how much each key was used on the last day of its use. */
export function createUsageStore({ dialect, read, write }: Engine) {
  // Another instance may add later what it counted on an earlier day.
  const add = `
    INSERT INTO key_usage (key_id, day, requests, last_used_at) ${dialect.selectJson(members)}
    ON CONFLICT (key_id) DO UPDATE SET
      day = excluded.day,
      requests = excluded.requests
        + CASE WHEN excluded.day = key_usage.day THEN key_usage.requests ELSE 0 END,
      last_used_at = CASE WHEN excluded.last_used_at > key_usage.last_used_at
        THEN excluded.last_used_at ELSE key_usage.last_used_at END
    WHERE excluded.day >= key_usage.day`
  return {
    /** Adds to the stored numbers, at most one use of each key. Instances may add for the same key. */
    async add(uses: readonly KeyUse[]): Promise<void> {
      // In one order, so that instances cannot deadlock.
      const sorted = uses.toSorted((a, b) => (a.keyId < b.keyId ? -1 : 1))
      await write([add, JSON.stringify(sorted)])
    },
    list: () => read<KeyUse>(list),
  }
}
