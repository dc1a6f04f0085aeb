import { basePath, operations } from '../generated/operations.ts'
import { issueKey } from './access/issue.ts'
import { plans } from './access/plans.ts'
import type { Store } from './store/store.ts'

/** Makes a key for the newcomer to begin with, as long as there is none; one of many starts does. */
export async function makeFirstKey({ keys }: Store): Promise<string | undefined> {
  if ((await keys.list()).length > 0) return undefined
  const terms = { name: 'development', plan: 'business', expiresAt: undefined } as const
  const { key, record } = issueKey({ ...terms, ...plans.business })
  return (await keys.addFirst(record)) ? key : undefined
}

/** What to tell the newcomer about the first key. */
export function firstSteps(origin: string, key: string): string {
  const { path } = operations.listPets
  return `
There was no API key yet. This one is for development; it is shown this once:

  ${key}

Try it:

  curl -H 'Authorization: Bearer ${key}' ${origin}${basePath}${path}
`
}
