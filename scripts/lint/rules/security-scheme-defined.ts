import { resolveSecuritySchemes } from '../resolved.ts'
import type { Rule } from '../rule.ts'

/** Rejects a requirement of a security scheme that the description does not have: nothing could check it. */
export const securitySchemeDefined: Rule = () => {
  let names: ReadonlySet<string> = new Set()

  return {
    Root(root, context) {
      names = new Set(resolveSecuritySchemes(root, context).keys())
    },
    SecurityRequirement(requirement, { location, report }) {
      for (const name of Object.keys(requirement).filter((each) => !names.has(each))) {
        const message = `There is no security scheme ${name} in components.securitySchemes.`
        report({ message, location: location.child([name]).key() })
      }
    },
  }
}
