import { toList, toObject } from '../../scripts/pipeline/description.ts'
import { resolve } from './resolved.ts'
import type { Rule } from './rule.ts'

/** What is paginated has the query parameter that it says, and links to its next page. */
export const paginationDeclared: Rule = () => ({
  Operation(operation, context) {
    const cursor = operation['x-paginated-by']
    if (cursor === undefined) return
    const at = context.location.child('x-paginated-by')
    const parameters = toList(operation['parameters']).map(
      (parameter, index) =>
        resolve(parameter, context.location.child(['parameters', String(index)]), context)?.node,
    )
    const isDeclared = parameters.some(
      (node) => node?.['name'] === cursor && node['in'] === 'query',
    )
    if (!isDeclared) {
      const message = `There is no query parameter ${cursor} to walk the pages by; declare it.`
      context.report({ message, location: at })
    }
    const page = context.location.child(['responses', '200'])
    const ok = resolve(toObject(operation['responses'])['200'], page, context)
    if (toObject(ok?.node['headers'])['Link'] !== undefined) return
    const message =
      'The 200 of a paginated operation has a Link header that leads to the next page.'
    context.report({ message, location: at })
  },
})
