import { type JsonObject, toList } from '../../../server/description/json.ts'
import { basePathOf, readServerUrl } from '../../../server/description/servers.ts'
import type { Context, Rule } from '../rule.ts'

/**
 * Requires all servers, those of paths and operations as well, to have the base path of the first one, below which
 * the service has every operation.
 */
export const oneBasePath: Rule = () => {
  let served = ''

  function visit(node: JsonObject, { location, report }: Context): void {
    for (const [index, server] of toList(node['servers']).entries()) {
      const path = basePathOf(readServerUrl(server))
      if (path === served) {
        continue
      }
      const message = `This server has the base path '${path}'. The service has every operation below '${served}', that of the first server.`
      report({ message, location: location.child(['servers', String(index), 'url']) })
    }
  }

  return {
    Root: {
      enter(root, context) {
        const [first] = toList(root['servers'])
        served = basePathOf(readServerUrl(first))
        visit(root, context)
      },
    },
    PathItem: visit,
    Operation: visit,
  }
}
