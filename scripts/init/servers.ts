import { readBasePath, readServerUrl, toList } from '../pipeline/description.ts'
import { type Conversion, type Draft, toDraft } from './draft.ts'

/** Gives all servers the base path of the first one, and adds the service itself, which has no host. */
export function convertServers({ root, report }: Conversion, usualBasePath: string): void {
  const given = toList(root['servers']).map(toDraft)
  const [first] = given
  // The router and the validator read other characters as patterns.
  const basePath = readBasePath(first).replaceAll(/[^\w.~/-]+/g, '-') || usualBasePath
  const reason = 'the root has the docs page and the health checks'
  if (readBasePath(first) === '') report('#/servers', `base path ${basePath} added: ${reason}`)
  const servers = new Map<string, Draft>()
  for (const server of given) {
    const url = String(server['url'] ?? '')
    const [, scheme = '', host = ''] = /^([^/]*):\/\/([^/?#]*)/.exec(url) ?? []
    const name = readServerUrl({ ...server, url: host })
    // The linter rejects example.com and localhost, and the relative server is every host.
    if (host === '' || /(^|[.])(example\.com|localhost)(:|$)|^127\./.test(name)) {
      if (url !== basePath) report(url, `server removed: ${basePath} is on any host`)
      continue
    }
    const converted = `${readServerUrl({ ...server, url: scheme })}://${host}${basePath}`
    if (converted !== url) report(url, `server converted to ${converted}: there is one base path`)
    const { variables: all, ...rest } = server
    const used = Object.entries(toDraft(all)).filter(([key]) => host.includes(`{${key}}`))
    const variables = Object.fromEntries(used)
    servers.set(converted, { ...rest, url: converted, ...(used.length > 0 && { variables }) })
  }
  const description = 'The service that serves this description'
  root['servers'] = [...servers.values(), { url: basePath, description }]
}
