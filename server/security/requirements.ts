import type { Operation } from '../contract/operation.ts'
import type { Description } from '../description/description.ts'
import { isPublic, readAlternatives } from '../description/security.ts'

/** A security scheme that is required, with the scopes that its credentials must have. */
export interface RequiredScheme {
  readonly name: string
  readonly scopes: readonly string[]
  /** Whether its credentials are a cookie, which browsers send unasked. */
  readonly isCookie: boolean
}

/** What a request must be authenticated by. */
export interface Requirements {
  /** Combinations of schemes, one of which is enough; of each, all are required. Without one, credentials are ignored. */
  readonly alternatives: readonly (readonly RequiredScheme[])[]
  /** Whether requests without credentials are accepted, too. */
  readonly isOptional: boolean
}

/** The schemes of a description, and what its operations require of them. */
type Secured = Pick<Description, 'securitySchemes'>

/** Returns what an operation requires; nothing where it names no scheme (`security: []`). */
export function requirementsOf({ security }: Operation, description: Secured): Requirements {
  const listed = readAlternatives(security)
  const isOptional = isPublic({ alternatives: listed })
  const named = listed.filter(({ size }) => size > 0)
  const alternatives = named.map((requirement) => {
    return Array.from(requirement, ([name, scopes]) => toRequired(name, scopes, description))
  })
  return { alternatives, isOptional }
}

/**
 * Returns what requests require that match no operation: the credentials of any operation, without scopes.
 * None are required if an operation requires none: what exists is no secret then.
 */
export function requirementsOfUndeclared(
  operations: readonly Operation[],
  description: Secured,
): Requirements {
  const ofOperations = operations.map((operation) => requirementsOf(operation, description))
  const combinations = new Map<string, readonly RequiredScheme[]>()
  for (const alternative of ofOperations.flatMap(({ alternatives }) => alternatives)) {
    const schemes = alternative.map((scheme) => ({ ...scheme, scopes: [] }))
    combinations.set(schemes.map(({ name }) => name).join(' '), schemes)
  }
  const isOptional = ofOperations.some((requirements) => requirements.isOptional)
  return { alternatives: [...combinations.values()], isOptional }
}

/** Returns what messages of agents require: the credentials of any operation, unless no operation requires some. */
export function requirementsOfAgents({ alternatives }: Requirements): Requirements {
  return { alternatives, isOptional: alternatives.length === 0 }
}

function toRequired(
  name: string,
  scopes: readonly string[],
  { securitySchemes }: Secured,
): RequiredScheme {
  const isCookie = securitySchemes.get(name)?.form['in'] === 'cookie'
  return { name, scopes, isCookie }
}

/** Returns the names of the schemes of all alternatives, each once. */
export function schemeNames({ alternatives }: Requirements): readonly string[] {
  return [...new Set(alternatives.flat().map(({ name }) => name))]
}
