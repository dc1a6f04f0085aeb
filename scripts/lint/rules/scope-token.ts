import { type JsonObject, toList, toObject } from '../../../server/description/json.ts'
import { isScopeToken } from '../../../server/description/security.ts'
import { resolveSecuritySchemes } from '../resolved.ts'
import type { Rule } from '../rule.ts'

/** Reports scopes of tokens that are no scope tokens (RFC 6749, section 3.3): no list of scopes can name them. */
export const scopeToken: Rule = () => {
  const tokenSchemes = new Set<string>()

  return {
    Root(root, context) {
      for (const [name, scheme] of resolveSecuritySchemes(root, context)) {
        // The roles of other schemes are only compared.
        if (hasScopes(scheme)) {
          tokenSchemes.add(name)
        }
      }
    },
    SecurityScheme({ type, flows }, { location, report }) {
      const flowEntries = type === 'oauth2' ? Object.entries(toObject(flows)) : []
      for (const [flow, value] of flowEntries) {
        const { scopes } = toObject(value)
        const invalid = Object.keys(toObject(scopes)).filter((name) => !isScopeToken(name))
        for (const scope of invalid) {
          const place = location.child(['flows', flow, 'scopes', scope])
          report({ message: toMessage(scope), location: place.key() })
        }
      }
    },
    SecurityRequirement(requirement, { location, report }) {
      for (const name of Object.keys(requirement).filter((each) => tokenSchemes.has(each))) {
        const scopes = toList(requirement[name]).map(String)
        for (const [index, scope] of scopes.entries()) {
          if (!isScopeToken(scope)) {
            report({ message: toMessage(scope), location: location.child([name, String(index)]) })
          }
        }
      }
    },
  }
}

/** Returns whether the credentials of a scheme are bearer tokens, whose challenges name scopes. */
function hasScopes({ type, scheme }: JsonObject): boolean {
  const isBearer = type === 'http' && /^bearer$/i.test(String(scheme))
  return isBearer || type === 'oauth2' || type === 'openIdConnect'
}

function toMessage(scope: string): string {
  return `No client can ask for the scope ${JSON.stringify(scope)}, and no 403 names it in WWW-Authenticate; write it without spaces, quotes, backslashes and characters beyond ASCII.`
}
