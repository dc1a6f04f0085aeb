import { toObject } from '../../../server/description/json.ts'
import { paginationKey } from '../../../server/description/pagination.ts'
import type { Location, Rule } from '../rule.ts'

/** A parameter of the query, and where its example is, if it has one. */
interface QueryParameter {
  readonly name: unknown
  readonly location: Location
  readonly example: Location | undefined
}

/**
 * Requires an example of each parameter, and rejects one of the cursor of a paginated operation: tools
 * send examples, and the only cursors that the service accepts are those that it made itself.
 */
export const parameterExample: Rule = () => {
  const cursors = new Set<unknown>()
  const inQuery: QueryParameter[] = []

  return {
    Operation(operation) {
      const { cursorParam } = toObject(operation[paginationKey])
      const cursor = operation['x-paginated-by'] ?? cursorParam
      if (cursor !== undefined) {
        cursors.add(cursor)
      }
    },
    Parameter(parameter, { location, report }) {
      const { name, in: where, content } = parameter
      const key = ['example', 'examples'].find((each) => each in parameter)
      const example = key === undefined ? undefined : location.child(key).key()
      // The operations that make it a cursor may come later.
      if (where === 'query') {
        inQuery.push({ name, location, example })
      } else if (example === undefined && content === undefined) {
        report({ message: noExample, location: location.key() })
      }
    },
    Root: {
      leave(_root, { report }) {
        for (const { name, location, example } of inQuery) {
          const isCursor = cursors.has(name)
          if (isCursor && example !== undefined) {
            report({ message: cursorExample, location: example })
          }
          if (!isCursor && example === undefined) {
            report({ message: noExample, location: location.key() })
          }
        }
      },
    },
  }
}

const noExample = 'Show a value of this parameter; add an example or examples.'
const cursorExample =
  'Tools send this example, and the service rejects every cursor that it has not made; remove it.'
