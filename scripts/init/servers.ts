import { toList } from '../../server/description/json.ts'
import { basePathOf, readServerUrl } from '../../server/description/servers.ts'
import { type Conversion, toDraft } from './draft.ts'

/** The base path of a description that has none. */
const usualBasePath = '/v1'

/** Replaces the servers by one without a host, with the base path of the first one. */
export function convertServers({ root, report }: Conversion): void {
  const servers = toList(root['servers'])
  const given = basePathOf(readServerUrl(servers[0]))
  // The router and the validator read other characters as patterns.
  const basePath = given.replaceAll(/[^\w.~/-]+/g, '-') || usualBasePath
  if (given === '') {
    report('#/servers', `base path ${basePath} added: the root has the docs and the health checks`)
  }
  for (const server of servers) {
    const { url } = toDraft(server)
    if (url === basePath) {
      continue
    }
    report(
      String(url),
      `server replaced by ${basePath}, on any host; add the hosts of your service`,
    )
  }
  root['servers'] = [{ url: basePath, description: 'The service that serves this description' }]
}
