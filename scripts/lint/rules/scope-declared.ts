import { type JsonObject, toList, toObject } from '../../../server/description/json.ts'
import { resolveSecuritySchemes } from '../resolved.ts'
import type { Rule } from '../rule.ts'

/** Reports scopes that no flow of their OAuth scheme declares: no client can ask for them. */
export const scopeDeclared: Rule = () => {
  const declared = new Map<string, ReadonlySet<string>>()

  return {
    Root(root, context) {
      for (const [name, scheme] of resolveSecuritySchemes(root, context)) {
        // Scopes of OpenID Connect are in the document of its provider.
        if (scheme['type'] === 'oauth2') {
          declared.set(name, readScopes(scheme))
        }
      }
    },
    SecurityRequirement(requirement, { location, report }) {
      for (const [name, scopes] of declared) {
        const required = toList(requirement[name]).map(String)
        for (const [index, scope] of required.entries()) {
          if (scopes.has(scope)) {
            continue
          }
          const message = `No flow of ${name} declares the scope ${scope}; add it to the scopes of a flow.`
          report({ message, location: location.child([name, String(index)]) })
        }
      }
    },
  }
}

/** Returns the names of the scopes of all flows. */
function readScopes({ flows }: JsonObject): ReadonlySet<string> {
  const names = Object.values(toObject(flows)).flatMap((flow) => {
    const { scopes } = toObject(flow)
    return Object.keys(toObject(scopes))
  })
  return new Set(names)
}
