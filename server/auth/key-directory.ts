import type { KeyStore } from '../store/key-store.ts'

/** Milliseconds between two looks at the store for new keys, at least. */
const pause = 50

/** Digests that are read at a time: far fewer than a store has patience for. */
const mostAtOnce = 10_000

/** Knows which keys were ever issued, so that others are refused without asking the store for each. */
export interface KeyDirectory {
  /** Whether a key with this digest was issued; looks for new ones before it says no. */
  readonly has: (digest: string) => Promise<boolean>
}

/**
 * Makes a directory. However many unknown keys come, it looks at the store at most every 50
 * milliseconds, for what was added since; those that wait for it share the look. A key takes about
 * a hundred bytes.
 */
export function createKeyDirectory(
  keys: Pick<KeyStore, 'digestsAfter'>,
  pageSize = mostAtOnce,
): KeyDirectory {
  const issued = new Set<string>()
  let position = 0
  let lookedAt = Number.NEGATIVE_INFINITY
  let look: Promise<void> | undefined

  async function update(): Promise<void> {
    const wait = lookedAt + pause - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    try {
      // What is read stays read: where a page fails, the next look goes on there.
      for (let isWhole = false; !isWhole; ) {
        const found = await keys.digestsAfter(position, pageSize)
        for (const digest of found.digests) issued.add(Buffer.from(digest).toString('hex'))
        position = found.position
        isWhole = found.digests.length < pageSize
      }
    } finally {
      lookedAt = performance.now()
      look = undefined
    }
  }

  return {
    async has(digest) {
      if (issued.has(digest)) return true
      look ??= update()
      await look
      return issued.has(digest)
    },
  }
}
