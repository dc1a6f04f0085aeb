import { toList } from '../../../server/description/json.ts'
import { basePathOf, readServerUrl } from '../../../server/description/servers.ts'
import type { Rule } from '../rule.ts'

/** Requires all servers to have the same base path, so that one program can be any of them. */
export const oneBasePath: Rule = () => ({
  Root(root, { location, report }) {
    const [first, ...others] = toList(root['servers']).map((server) =>
      basePathOf(readServerUrl(server)),
    )
    for (const [index, path] of others.entries()) {
      if (path === first) {
        continue
      }
      const message = `This server's base path is '${path}', the first one's '${first}'; make them the same.`
      report({ message, location: location.child(['servers', String(index + 1), 'url']) })
    }
  },
})
