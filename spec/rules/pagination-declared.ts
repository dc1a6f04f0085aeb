import { type JsonObject, toList, toObject } from '../../scripts/pipeline/description.ts'
import { type Resolved, resolve } from './resolved.ts'
import type { Context, Rule } from './rule.ts'

/** Requires of a paginated operation its cursor, a query parameter, and a link to the next page. */
export const paginationDeclared: Rule = () => ({
  Operation(operation, context) {
    const cursor = operation['x-paginated-by']
    if (cursor === undefined) return
    const at = context.location.child('x-paginated-by')
    const parameters = toList(operation['parameters']).map((row, index) =>
      resolve(row, context.location.child(['parameters', String(index)]), context),
    )
    const page = context.location.child(['responses', '200'])
    const ok = resolve(toObject(operation['responses'])['200'], page, context)
    // A reference that cannot be resolved has a rule of its own.
    if (ok === undefined || parameters.includes(undefined)) return
    const parameter = parameters.find(
      (row) => row?.node['name'] === cursor && row?.node['in'] === 'query',
    )
    if (parameter === undefined) {
      const message = `There is no query parameter ${cursor} to walk the pages by; declare it.`
      context.report({ message, location: at })
    } else if (!isCursor(parameter, context)) {
      const message = `The query parameter ${cursor} is not a cursor; name the optional string that the next link sets: without enum, const, format and default, and with a pattern of base64url characters alone.`
      context.report({ message, location: at })
    }
    if (toObject(ok.node['headers'])['Link'] !== undefined) return
    const message =
      'The 200 of a paginated operation has a Link header that leads to the next page.'
    context.report({ message, location: at })
  },
})

/** Returns whether a parameter can be an opaque value that clients take from a link. */
function isCursor({ node, location }: Resolved, context: Context): boolean {
  const schema = resolve(node['schema'], location.child('schema'), context)?.node ?? {}
  const isOpen = ['enum', 'const', 'format', 'default'].every((keyword) => !(keyword in schema))
  return node['required'] !== true && schema['type'] === 'string' && isOpen && isToken(schema)
}

// A cursor is written in base64url (RFC 4648, section 5); free text has spaces.
function isToken({ pattern }: JsonObject): boolean {
  if (typeof pattern !== 'string') return false
  try {
    const expression = new RegExp(pattern, 'u')
    return expression.test('aZ09_-') && !expression.test('free text')
  } catch {
    // An invalid pattern is reported by its own rule.
    return true
  }
}
