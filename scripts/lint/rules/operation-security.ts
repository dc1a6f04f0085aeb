import { toObject } from '../../../server/description/json.ts'
import { allMethods } from '../../../server/description/operations.ts'
import { resolve } from '../resolved.ts'
import type { Rule } from '../rule.ts'

/** Requires each operation of an API with security schemes to say which it requires, also if that is none. */
export const operationSecurity: Rule = () => {
  let isRequired = false

  return {
    Root({ components, security }) {
      const { securitySchemes } = toObject(components)
      const hasSchemes = Object.keys(toObject(securitySchemes)).length > 0
      // An operation without security of its own has that of the description.
      isRequired = hasSchemes && security === undefined
    },
    Paths(paths, context) {
      if (!isRequired) {
        return
      }

      for (const [path, value] of Object.entries(paths)) {
        const item = resolve(value, context.location.child([path]), context)
        const withoutSecurity = allMethods.filter((method) => {
          const operation = item?.node[method]
          return operation !== undefined && toObject(operation)['security'] === undefined
        })
        for (const method of withoutSecurity) {
          const message =
            'Anyone may call this operation: nothing says what it requires. Add security with its schemes, or security: [] if it is public.'
          const location = item?.location ?? context.location
          context.report({ message, location: location.child([method]).key() })
        }
      }
    },
  }
}
