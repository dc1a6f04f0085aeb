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

/** How often a key called an operation on one day. */
export interface OperationUse {
  readonly keyId: string
  readonly operationId: string
  /** The day, in days since 1970 (UTC). */
  readonly day: number
  /** Requests, whatever the response was. */
  readonly requests: number
}

/** For how many days the use of operations is kept, today included. */
export const keptDays = 90

/** The fields of a `KeyUse`, in the order of the columns. */
const keyMembers = {
  keyId: 'text',
  day: 'bigint',
  requests: 'bigint',
  lastUsedAt: 'bigint',
} as const satisfies Record<keyof KeyUse, ColumnType>

/** The fields of an `OperationUse`, in the order of the columns. */
const operationMembers = {
  keyId: 'text',
  operationId: 'text',
  day: 'bigint',
  requests: 'bigint',
} as const satisfies Record<keyof OperationUse, ColumnType>

const listKeys =
  'SELECT key_id AS "keyId", day, requests, last_used_at AS "lastUsedAt" FROM key_usage'

const listOperations = `
  SELECT key_id AS "keyId", operation_id AS "operationId", day, requests FROM operation_usage
  WHERE day >= $1 ORDER BY key_id, operation_id, day`

export type UsageStore = ReturnType<typeof createUsageStore>

/** Stores how much each key was used on the last day of its use, and which operations it called. */
export function createUsageStore({ dialect, read, write }: Engine) {
  // Another instance may add later what it counted on an earlier day.
  const addKeys = `
    INSERT INTO key_usage (key_id, day, requests, last_used_at) ${dialect.selectJson(keyMembers)}
    ON CONFLICT (key_id) DO UPDATE SET
      day = excluded.day,
      requests = excluded.requests
        + CASE WHEN excluded.day = key_usage.day THEN key_usage.requests ELSE 0 END,
      last_used_at = CASE WHEN excluded.last_used_at > key_usage.last_used_at
        THEN excluded.last_used_at ELSE key_usage.last_used_at END
    WHERE excluded.day >= key_usage.day`
  const addOperations = `
    INSERT INTO operation_usage (key_id, operation_id, day, requests)
    ${dialect.selectJson(operationMembers)}
    ON CONFLICT (day, key_id, operation_id) DO UPDATE SET
      requests = operation_usage.requests + excluded.requests
    RETURNING day`
  const deleteOld = 'DELETE FROM operation_usage WHERE day < $1'

  return {
    /** Adds to the stored numbers, at most one use of each key. Instances may add for the same key. */
    async add(uses: readonly KeyUse[]): Promise<void> {
      // In one order, so that instances cannot deadlock.
      const sorted = uses.toSorted((a, b) => (a.keyId < b.keyId ? -1 : 1))
      await write([addKeys, JSON.stringify(sorted)])
    },
    /**
     * Adds to the stored numbers, at most one use of each operation by each key on each day, and
     * deletes those that are too old on a day. Instances may add for the same key.
     */
    async addCalls(uses: readonly OperationUse[], today: number): Promise<void> {
      const sorted = uses.toSorted((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1))
      await write([addOperations, JSON.stringify(sorted)], [deleteOld, today - keptDays + 1])
    },
    list: () => read<KeyUse>(listKeys),
    /** Returns the use of operations from a day on, ordered by key, operation and day. */
    listCalls: (from: number) => read<OperationUse>(listOperations, from),
    /** Returns the first day on which the use of operations was counted and is kept. */
    async firstDay(): Promise<number | undefined> {
      const sql = 'SELECT min(day) AS day FROM operation_usage'
      const [row] = await read<{ day: number | null }>(sql)
      return row?.day ?? undefined
    },
  }
}

function sortKeyOf({ keyId, operationId, day }: OperationUse): string {
  return `${day} ${keyId} ${operationId}`
}
