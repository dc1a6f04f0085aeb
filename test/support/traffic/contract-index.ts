import description from '../../../generated/openapi.json' with { type: 'json' }
import { basePath } from '../../../generated/operations.ts'

// This reads the description on its own, and shares no code with the service, so that a fault in
// how the service reads it is seen.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json | undefined
}

/** What a description says of the answers to a request. */
export interface Described {
  /** The operationId, or what stands for all requests that reach no operation. */
  readonly name: string
  readonly isOperation: boolean
  /** The place of its answers, as names from the root of the description. */
  readonly place: readonly string[]
  readonly parameters: readonly { readonly name: string; readonly in: string }[]
}

export interface ContractIndex {
  /** What is said of a method and a path; nothing where the path is not the contract's. */
  readonly find: (method: string, pathname: string) => Described | undefined
  /** The node at a place, and where it stands once every `$ref` on the way is followed. */
  readonly locate: (place: readonly string[]) => Located | undefined
}

export interface Located {
  readonly node: JsonObject
  /** A JSON Pointer (RFC 6901). */
  readonly pointer: string
}

interface Route extends Described {
  readonly method: string
  readonly pattern: RegExp
}

/** Makes an index of a description; the one that is generated unless another is given. */
export function createContractIndex(root: JsonObject = description): ContractIndex {
  const locate = (place: readonly string[]) => walk(root, place)
  const routes = Object.entries(toObject(root['paths'])).flatMap(([path, item]) =>
    Object.keys(toObject(item)).map((method) => toRoute(locate, path, method)),
  )
  // Where two match, the one with fewer templates is meant (OpenAPI, "Path Templating Matching").
  routes.sort((one, other) => templates(one) - templates(other))
  const outside: Described = {
    name: 'no operation',
    isOperation: false,
    place: ['x-outside-operations'],
    parameters: [],
  }
  return {
    locate,
    find(method, pathname) {
      if (!pathname.startsWith(`${basePath}/`)) return undefined
      const wanted = method === 'HEAD' ? 'get' : method.toLowerCase()
      const path = pathname.slice(basePath.length)
      return routes.find((route) => route.method === wanted && route.pattern.test(path)) ?? outside
    },
  }
}

function toRoute(locate: ContractIndex['locate'], path: string, method: string): Route {
  const place = ['paths', path, method]
  const { operationId, parameters = [] } = locate(place)?.node ?? {}
  const count = Array.isArray(parameters) ? parameters.length : 0
  const declared = Array.from({ length: count }, (_, number) =>
    toObject(locate([...place, 'parameters', String(number)])?.node),
  )
  const literal = path
    .split(/\{[^{}]+\}/)
    .map((text) => text.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&'))
  return {
    name: String(operationId),
    isOperation: true,
    place: [...place, 'responses'],
    parameters: declared.map(({ name, in: where }) => ({ name: String(name), in: String(where) })),
    method,
    pattern: new RegExp(`^${literal.join('[^/]+')}$`),
  }
}

function templates({ pattern }: Route): number {
  return pattern.source.split('[^/]+').length
}

function walk(root: JsonObject, place: readonly string[]): Located | undefined {
  let at = follow(root, { node: root, pointer: '' })
  for (const name of place) {
    const node: unknown = Array.isArray(at.node) ? at.node[Number(name)] : at.node[name]
    if (typeof node !== 'object' || node === null) return undefined
    const token = name.replaceAll('~', '~0').replaceAll('/', '~1')
    // A list is gone through by its numbers, which are names here.
    at = follow(root, { node: node as JsonObject, pointer: `${at.pointer}/${token}` })
  }
  return at
}

function follow(root: JsonObject, at: Located): Located {
  const { $ref } = at.node
  if (typeof $ref !== 'string') return at
  const names = $ref.slice('#/'.length).split('/')
  const place = names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const found = walk(root, place)
  if (found === undefined) throw new Error(`${$ref} leads nowhere.`)
  return found
}

export function toObject(value: unknown): JsonObject {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  // What was parsed from JSON holds nothing but JSON.
  return isObject ? (value as JsonObject) : {}
}
