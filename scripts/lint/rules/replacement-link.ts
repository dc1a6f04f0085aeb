import { type JsonObject, toObject } from '../../../server/description/json.ts'
import { allMethods } from '../../../server/description/operations.ts'
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

      for (const operation of operations) {
        const { operationId, url } = toObject(operation.node['x-replaced-by'])
        if (operationId === undefined) {
          continue
        }

        if (url === undefined) {
          const replacement = byId.get(operationId)
          reportMissingParameters(context, operation, replacement?.path ?? '', operationId)
        } else if (!isReference(url)) {
          const message =
            'The url is the target of a Link; write a URI such as https://api.example/guide.'
          context.report({ message, location: operation.location.child(['x-replaced-by', 'url']) })
        }
      }
    },
  },
})

/** Reports the parameters of the path of a replacement that the deprecated operation does not have. */
function reportMissingParameters(
  context: Context,
  { path, location }: PathOperation,
  replacementPath: string,
  operationId: unknown,
): void {
  const parameters = parametersIn(path)
  const missing = parametersIn(replacementPath).filter((name) => !parameters.includes(name))
  if (missing.length === 0) {
    return
  }

  const message = `The path of ${operationId} has ${missing.join(', ')}, which this path does not have, so that its Link would have no target; give both the same parameters, or add a url to x-replaced-by.`
  context.report({ message, location: location.child(['x-replaced-by', 'operationId']) })
}

function operationsIn(root: JsonObject, context: Context): readonly PathOperation[] {
  const { location } = context
  return Object.entries(toObject(root['paths'])).flatMap(([path, value]) => {
    const item = resolve(value, location.child(['paths', path]), context)
    if (item === undefined) {
      return []
    }
    const declared = allMethods.filter((method) => item.node[method] !== undefined)
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
