import { type JsonObject, toObject } from '../../../server/description/json.ts'
import { methods } from '../../pipeline/operation-entries.ts'
import { type Resolved, resolve } from '../resolved.ts'
import type { Context, Rule } from '../rule.ts'

interface PathOperation extends Resolved {
  readonly path: string
}

/**
 * Requires that the `Link` to the replacement of a deprecated operation has a target: the path of that
 * operation, whose parameters are those of the deprecated one, or a URL.
 */
export const replacementLink: Rule = () => ({
  Root: {
    leave(root, context) {
      const operations = operationsIn(root, context)
      const byId = new Map(operations.map((entry) => [entry.node['operationId'], entry]))
      for (const { node, location, path } of operations) {
        const { operationId, url } = toObject(node['x-replaced-by'])
        if (operationId === undefined) continue
        const at = location.child('x-replaced-by')
        if (url !== undefined) {
          if (isReference(url)) continue
          const message =
            'The url is the target of a Link; write a URI such as https://api.example/guide.'
          context.report({ message, location: at.child('url') })
          continue
        }
        const own = parametersIn(path)
        const template = byId.get(operationId)?.path ?? ''
        const other = parametersIn(template).filter((name) => !own.includes(name))
        if (other.length === 0) continue
        const message = `The path of ${operationId} has ${other.join(', ')}, which this path does not have, so that its Link would have no target; give both the same parameters, or add a url to x-replaced-by.`
        context.report({ message, location: at.child('operationId') })
      }
    },
  },
})

function operationsIn(root: JsonObject, context: Context): readonly PathOperation[] {
  const { location } = context
  return Object.entries(toObject(root['paths'])).flatMap(([path, value]) => {
    const item = resolve(value, location.child(['paths', path]), context)
    if (item === undefined) return []
    const declared = methods.filter((method) => item.node[method] !== undefined)
    return declared.map((method) => ({
      path,
      node: toObject(item.node[method]),
      location: item.location.child(method),
    }))
  })
}

/** Returns the parameters of a path as they are written, such as `{bookId}`. */
function parametersIn(path: string): readonly string[] {
  return path.match(/\{[^{}]*\}/g) ?? []
}

function isReference(url: unknown): boolean {
  return typeof url === 'string' && /^[!#-;=?-~]+$/.test(url) && URL.canParse(url, 'http://a')
}
