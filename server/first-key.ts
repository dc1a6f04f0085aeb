import { issueKey } from './auth/issue.ts'
import { plans } from './auth/plans.ts'
import { sampleCurl } from './sample-curl.ts'
import type { Store } from './store/store.ts'

/**
 * Issues the first API key of a store, or adds a known one; undefined if the store has keys. If many
 * processes start at once, one of them does.
 */
export async function makeFirstKey({ keys }: Store, known?: string): Promise<string | undefined> {
  if ((await keys.list()).length > 0) return undefined
  const terms = { name: 'development', plan: 'business', expiresAt: undefined } as const
  const { key, record } = issueKey({ ...terms, ...plans.business }, known)
  return (await keys.addFirst(record)) ? key : undefined
}

/** Returns what to print about the first key, with a request to try where there is a simple one. */
export function firstSteps(origin: string, key: string): string {
  const curl = sampleCurl(origin, key)
  const sample = curl === undefined ? '' : `\nTry it:\n\n  ${curl}\n`
  return `
There was no API key yet. This one is for development; it is shown this once:

  ${key}
${sample}`
}
