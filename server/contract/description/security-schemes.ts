import { type Description, locate, rootOf } from '../description.ts'

/** The names of the security schemes that a description defines. */
export function securitySchemeNames(description: Description): string[] {
  const schemes = locate(description, rootOf(description), 'components', 'securitySchemes')
  return Object.keys(schemes?.node ?? {})
}
