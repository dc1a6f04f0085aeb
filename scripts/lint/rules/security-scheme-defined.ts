import { toObject } from '../../../server/description/json.ts'
import { resolve } from '../resolved.ts'
import type { Rule } from '../rule.ts'

/** Rejects a requirement of a security scheme that the description does not have: nothing could check it. */
export const securitySchemeDefined: Rule = () => {
  let names = new Set<string>()

  return {
    Root({ components }, context) {
      const { securitySchemes } = toObject(components)
      const place = context.location.child(['components', 'securitySchemes'])
      const schemes = resolve(securitySchemes, place, context)
      names = new Set(Object.keys(schemes?.node ?? {}))
    },
    SecurityRequirement(requirement, { location, report }) {
      for (const name of Object.keys(requirement).filter((each) => !names.has(each))) {
        const message = `There is no security scheme ${name} in components.securitySchemes.`
        report({ message, location: location.child([name]).key() })
      }
    },
  }
}
