import { type JsonObject, toList, toObject } from '../../../server/description/json.ts'
import { allMethods } from '../../../server/description/operations.ts'
import { isPublic, readAlternatives } from '../../../server/description/security.ts'
import { resolve } from '../resolved.ts'
import type { Context, Location, Rule } from '../rule.ts'

/** Rejects an Idempotency-Key on a public operation: the service ignores it without credentials. */
export const idempotencyAuthenticated: Rule = () => {
  let usualSecurity: unknown

  return {
    Root(root) {
      usualSecurity = root['security']
    },
    PathItem(item, context) {
      for (const method of allMethods.filter((name) => name in item)) {
        const place = context.location.child(method)
        const operation = toObject(item[method])
        const alternatives = readAlternatives(operation['security'] ?? usualSecurity)
        if (!isPublic({ alternatives })) {
          continue
        }

        const key = findKey(operation, place, context) ?? findKey(item, context.location, context)
        if (key === undefined) {
          continue
        }

        const message = `The service ignores the Idempotency-Key of a request without credentials; require some, or remove the parameter.`
        const isOwn = operation['security'] !== undefined
        context.report({ message, location: isOwn ? place.child('security').key() : key })
      }
    },
  }
}

/** Returns the location of the parameter `Idempotency-Key` of an operation or a path; undefined if it has none. */
function findKey(holder: JsonObject, place: Location, context: Context): Location | undefined {
  for (const [index, row] of toList(holder['parameters']).entries()) {
    const at = place.child(['parameters', String(index)])
    const { name, in: where } = resolve(row, at, context)?.node ?? {}
    if (where === 'header' && String(name).toLowerCase() === 'idempotency-key') {
      return at
    }
  }
  return undefined
}
