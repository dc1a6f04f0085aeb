import { securitySchemes } from '../../generated/operations.ts'
import { credentialKind } from '../description/security.ts'
import { issueDevelopmentKey } from '../security/development-key.ts'
import type { Plans } from '../security/plans.ts'
import type { Store } from '../store/store.ts'
import { sampleCurl } from './sample-curl.ts'

/**
 * Adds an API key to a store without one: `givenKey`, or a new one without it. Returns the key if it was
 * added.
 */
export async function createFirstKey(
  { keys }: Store,
  plans: Plans,
  givenKey?: string,
): Promise<string | undefined> {
  if ((await keys.list()).length > 0) {
    return undefined
  }
  const { key, record } = issueDevelopmentKey(plans, givenKey)
  return (await keys.addFirst(record)) ? key : undefined
}

/** Returns what to print about the first key, with a request to try where there is a simple one. */
export function gettingStarted(origin: string, key: string): string {
  const curl = sampleCurl(origin, key)
  const sample = curl === undefined ? '' : `\nTry it:\n\n  ${curl}\n`
  const note = noteOnSchemes(securitySchemes)
  return `
There was no API key yet. This one is for development; it is shown only once:

  ${key}
${note}${sample}`
}

/** What the description says of a security scheme, as far as it matters here. */
interface DescribedScheme {
  readonly type: string
  readonly scheme?: string
  readonly bearerFormat?: string
}

/** Returns how the key fits schemes that have other credentials; an empty text if there are none. */
export function noteOnSchemes(schemes: Readonly<Record<string, DescribedScheme>>): string {
  const hasOthers = Object.values(schemes).some(({ bearerFormat, ...form }) => {
    return credentialKind({ form, bearerFormat }) !== 'apiKey'
  })
  if (!hasOthers) {
    return ''
  }
  return `
Unless NODE_ENV is production, every security scheme accepts it, with all scopes: as a bearer token, or as
the password of any user.
`
}
