import type { DescriptionPart } from './description.ts'
import { entriesOf, Fields } from './fields.ts'
import { toList, toObject } from './json.ts'
import type { Located } from './location.ts'

export interface Server extends DescriptionPart {
  /** With its variables as they are written. */
  readonly url: string
  /** With its variables at their defaults. */
  readonly defaultUrl: string
  readonly variables: ReadonlyMap<string, ServerVariable>
}

export interface ServerVariable extends DescriptionPart {
  readonly default: string
  readonly values: readonly string[] | undefined
}

/** Reads a list of servers; without one, the server is the root of the host, as OpenAPI says. */
export function readServers(node: Located): readonly Server[] {
  const hasServers = toList(node.value).length > 0
  const nodes = hasServers ? entriesOf(node) : [{ ...node, value: { url: '/' } }]
  return nodes.map(readServer)
}

function readServer(node: Located): Server {
  const fields = new Fields(node)
  const variables = fields.takeEntries('variables').map((variable) => {
    return [variable.key, readVariable(variable)] as const
  })
  const url = withoutLastSlashes(fields.takeText('url') ?? '')
  fields.take('name')
  return {
    url,
    variables: new Map(variables),
    defaultUrl: withoutLastSlashes(readServerUrl(node.value)),
    ...fields.rest(),
  }
}

function readVariable(node: Located): ServerVariable {
  const fields = new Fields(node)
  const { value: values } = fields.take('enum')
  return {
    default: fields.takeText('default') ?? '',
    values: Array.isArray(values) ? values.map(String).sort() : undefined,
    ...fields.rest(),
  }
}

/**
 * Returns the path that the URL of a server ends in, percent-encoded as in a request, without a slash at its end;
 * an empty text for the root.
 */
export function basePathOf(url: string): string {
  // The whole is not parsed as a URL: a host whose variable has no default is none.
  const path = withoutOrigin(url).replace(/[?#].*/s, '')
  // A relative URL is relative to the root: `./v1` is `/v1`.
  const absolute = path.startsWith('/') ? path : `/${path}`
  const base = withoutLastSlashes(new URL(`http://host${absolute}`).pathname)
  return base === '/' ? '' : base
}

/** Returns the URL of a server without its origin; a variable at the start, as in `{siteUrl}/v1`, is one. */
export function withoutOrigin(url: string): string {
  const origin = /^(?:(?:[a-z][a-z\d+.-]*|\{[^{}]*\}):)?\/\/[^/?#]*|^\{[^{}]*\}/i
  return url.replace(origin, '')
}

/** Returns the URL of a server object, its variables at their defaults. */
export function readServerUrl(server: unknown): string {
  const { url, variables } = toObject(server)
  return String(url ?? '').replaceAll(/\{([^{}]*)\}/g, (whole, name) =>
    String(toObject(toObject(variables)[name])['default'] ?? whole),
  )
}

function withoutLastSlashes(url: string): string {
  let end = url.length
  while (end > 1 && url[end - 1] === '/') {
    end -= 1
  }
  return url.slice(0, end)
}
