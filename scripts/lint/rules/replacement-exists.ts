import { toObject } from '../../../server/description/json.ts'
import type { Location, Rule } from '../rule.ts'

/** Requires the replacement of a deprecated operation to be in the same description. */
export const replacementExists: Rule = () => {
  const operationIds = new Set<unknown>()
  const replacements: { readonly operationId: unknown; readonly location: Location }[] = []

  return {
    Operation(operation, { location }) {
      operationIds.add(operation['operationId'])
      const { operationId } = toObject(operation['x-replaced-by'])
      if (operationId === undefined) {
        return
      }
      replacements.push({ operationId, location: location.child(['x-replaced-by', 'operationId']) })
    },
    Root: {
      leave(_root, { report }) {
        for (const { operationId, location } of replacements) {
          // An operation without an operationId, which another rule reports, may be the replacement.
          if (operationIds.has(operationId) || operationIds.has(undefined)) {
            continue
          }
          const message = `There is no operation ${operationId}; name the operationId to use instead.`
          report({ message, location })
        }
      },
    },
  }
}
