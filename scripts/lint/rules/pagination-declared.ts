import { toList, toObject } from '../../../server/description/json.ts'
import { resolve } from '../resolved.ts'
import type { Rule } from '../rule.ts'

/** Requires of a paginated operation its cursor, a query parameter, and a link to the next page. */
export const paginationDeclared: Rule = () => ({
  Operation(operation, context) {
    const cursor = operation['x-paginated-by']
    if (cursor === undefined) {
      return
    }

    const parameters = toList(operation['parameters']).map((value, index) =>
      resolve(value, context.location.child(['parameters', String(index)]), context),
    )
    const page = context.location.child(['responses', '200'])
    const ok = resolve(toObject(operation['responses'])['200'], page, context)
    // A reference that cannot be resolved has a rule of its own.
    if (ok === undefined || parameters.includes(undefined)) {
      return
    }

    const at = context.location.child('x-paginated-by')
    const hasCursor = parameters.some(
      (parameter) => parameter?.node['name'] === cursor && parameter.node['in'] === 'query',
    )
    if (!hasCursor) {
      const message = `There is no query parameter ${cursor} to walk the pages by; declare it.`
      context.report({ message, location: at })
    }
    const hasLink = toObject(ok.node['headers'])['Link'] !== undefined
    if (!hasLink) {
      const message =
        'The 200 of a paginated operation has a Link header that leads to the next page.'
      context.report({ message, location: at })
    }
  },
})
