import type { Description, Operation } from '../../server/description/description.ts'
import { credentialKind, type SecurityScheme } from '../../server/description/security.ts'
import { servedOperations } from '../../server/description/unserved.ts'

/** How the credentials of a security scheme are sent: a scheme of `Authorization`, or a key by its name. */
export type SentCredentials =
  | { readonly in: 'bearer' | 'basic' }
  | { readonly in: 'header' | 'query' | 'cookie'; readonly name: string }

/** Returns how a client sends the credentials of a scheme; undefined where a value alone is not enough. */
export function sentCredentials(scheme: SecurityScheme): SentCredentials | undefined {
  const { type, in: location, name } = scheme.form
  const isKeyByName = location === 'header' || location === 'query' || location === 'cookie'
  if (type === 'apiKey') {
    return isKeyByName ? { in: location, name: String(name) } : undefined
  }

  const kind = credentialKind(scheme)
  if (kind === 'other') {
    return undefined
  }
  return { in: kind === 'password' ? 'basic' : 'bearer' }
}

/** Returns the schemes that operations require; others may be those of callbacks. */
export function schemesOfOperations(description: Description): readonly SecurityScheme[] {
  const operations = servedOperations(description)
  const requirements = operations.flatMap(({ security }) => security.alternatives)
  const names = new Set(requirements.flatMap((requirement) => [...requirement.keys()]))
  return schemesNamed(description, names)
}

/** Returns the schemes with these names. */
export function schemesNamed(
  { securitySchemes }: Description,
  names: Iterable<string>,
): readonly SecurityScheme[] {
  return [...names]
    .map((name) => securitySchemes.get(name))
    .filter((scheme) => scheme !== undefined)
}

/** Returns whether the operations of a description require one scheme alone: API keys as the bearer token. */
export function hasBearerKeysAlone(description: Description): boolean {
  const [scheme, ...otherSchemes] = schemesOfOperations(description)
  const isOne = scheme !== undefined && otherSchemes.length === 0
  return isOne && scheme.form['type'] === 'http' && credentialKind(scheme) === 'apiKey'
}

/**
 * Returns the combinations of schemes, one of which an operation requires, each scheme with how its
 * credentials are sent. A scheme whose credentials a client cannot add is left to what sends its requests.
 */
export function sentSecurity(
  { securitySchemes }: Description,
  { security }: Pick<Operation, 'security'>,
): readonly ReadonlyMap<string, SentCredentials>[] {
  return security.alternatives.map((requirement) => {
    const entries = [...requirement.keys()].flatMap((name) => {
      const scheme = securitySchemes.get(name)
      const credentials = scheme === undefined ? undefined : sentCredentials(scheme)
      return credentials === undefined ? [] : [[name, credentials] as const]
    })
    return new Map(entries)
  })
}
