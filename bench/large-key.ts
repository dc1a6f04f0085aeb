import { issueKey } from '../server/auth/issue.ts'
import { openStore } from '../server/store/store.ts'

/** Makes a key in a store that no load comes to the limits of. */
export async function issueLargeKey(url: string): Promise<string> {
  const store = await openStore(url)
  try {
    const limits = { perMinute: 1e9, perDay: 1e9 }
    const what = { name: 'bench', plan: 'enterprise', expiresAt: undefined } as const
    const { key, record } = issueKey({ ...what, ...limits })
    await store.keys.add(record)
    return key
  } finally {
    await store.close()
  }
}
