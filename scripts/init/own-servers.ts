import type { Description, Operation } from '../../server/description/description.ts'
import { basePathOf } from '../../server/description/servers.ts'

/** How many operations are named. */
const shownOperations = 3

/** Returns a line on the operations that have servers of their own, and on what to do; none if there are none. */
export function describeOwnServers({ operations, servers }: Description): readonly string[] {
  const urlsOfApi = new Set(servers.map(({ defaultUrl }) => defaultUrl))
  const isOther = ({ defaultUrl }: Operation['servers'][number]) => !urlsOfApi.has(defaultUrl)
  const elsewhere = operations.filter((each) => each.hasOwnServers && each.servers.some(isOther))
  if (elsewhere.length === 0) {
    return []
  }

  const base = basePathOf(servers[0]?.defaultUrl ?? '') || '/'
  const examples = elsewhere.slice(0, shownOperations).map((operation) => {
    return `${operation.name} (${operation.servers.find(isOther)?.defaultUrl})`
  })
  const more = elsewhere.length - examples.length
  const names = more > 0 ? `${examples.join(', ')} and ${more} more` : examples.join(', ')
  const count = elsewhere.length === 1 ? '1 operation has' : `${elsewhere.length} operations have`
  const advice =
    'route the requests of these servers to that path, or remove what another service implements from spec/openapi.yaml'
  return [`${count} servers of their own: ${names}. This service has them below ${base}; ${advice}`]
}
