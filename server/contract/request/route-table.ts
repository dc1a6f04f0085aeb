import type { Operation } from '../description/operation.ts'

/** Raw path segments by parameter name, still percent-encoded. */
export type PathValues = Readonly<Record<string, string>>

/** What a method and a path lead to. */
export type RouteMatch =
  | { readonly kind: 'operation'; readonly operation: Operation; readonly pathValues: PathValues }
  | { readonly kind: 'options' | 'method-unknown'; readonly allow: string }
  | { readonly kind: 'path-unknown' }

interface Branch {
  /** The segment as the description writes it, such as `{name}` or `{name}.json`. */
  readonly template: string
  /** What a segment stands for, by parameter name; undefined where it does not fit the template. */
  readonly capture: (segment: string) => PathValues | undefined
  readonly node: Node
}

/** One segment further into the paths of the description. */
interface Node {
  readonly concrete: Map<string, Node>
  readonly templated: Branch[]
  readonly operations: Map<string, Operation>
}

interface Found {
  readonly node: Node
  readonly pathValues: PathValues
}

const templateParameter = /\{([^{}]+)\}/g

/** Finds the operation that a request means, at a cost that does not grow with their number. */
export function createRouteTable(operations: readonly Operation[]) {
  const root = createNode()
  for (const operation of operations) {
    const node = operation.path.split('/').slice(1).reduce(descend, root)
    node.operations.set(operation.method.toUpperCase(), operation)
  }

  return function match(method: string, path: string): RouteMatch {
    const found = path.startsWith('/') ? walk(root, path, 1) : undefined
    if (found === undefined) return { kind: 'path-unknown' }
    const { operations } = found.node
    const operation = operations.get(method === 'HEAD' ? 'GET' : method)
    if (operation !== undefined) {
      return { kind: 'operation', operation, pathValues: found.pathValues }
    }
    const allow = allowOf(operations)
    return { kind: method === 'OPTIONS' ? 'options' : 'method-unknown', allow }
  }
}

function createNode(): Node {
  return { concrete: new Map(), templated: [], operations: new Map() }
}

function descend(node: Node, segment: string): Node {
  if (!segment.includes('{')) {
    const known = node.concrete.get(segment)
    if (known !== undefined) return known
    const next = createNode()
    node.concrete.set(segment, next)
    return next
  }
  const known = node.templated.find((branch) => branch.template === segment)
  if (known !== undefined) return known.node
  const branch = createBranch(segment)
  node.templated.push(branch)
  return branch.node
}

function createBranch(template: string): Branch {
  const node = createNode()
  const [, only] = /^\{([^{}]+)\}$/.exec(template) ?? []
  // A whole segment, as most are, needs no pattern.
  if (only !== undefined) {
    return {
      template,
      capture: (segment) => (segment === '' ? undefined : { [only]: segment }),
      node,
    }
  }
  const parts = template.split(templateParameter)
  const source = parts.map((part, index) => (index % 2 === 1 ? '(.+)' : RegExp.escape(part)))
  const names = parts.filter((_, index) => index % 2 === 1)
  const pattern = new RegExp(`^${source.join('')}$`)
  const capture = (segment: string) => {
    const captured = pattern.exec(segment)
    return captured === null
      ? undefined
      : Object.fromEntries(names.map((name, index) => [name, captured[index + 1] ?? '']))
  }
  return { template, capture, node }
}

/**
 * Follows the segments of a path, from the one on that begins at an index, and a concrete path before
 * a templated one, as OpenAPI 3.1 asks.
 */
function walk(node: Node, path: string, from: number, pathValues?: PathValues): Found | undefined {
  if (from > path.length) {
    return node.operations.size === 0 ? undefined : { node, pathValues: pathValues ?? {} }
  }
  const slash = path.indexOf('/', from)
  const end = slash === -1 ? path.length : slash
  const segment = path.slice(from, end)
  const concrete = node.concrete.size === 0 ? undefined : node.concrete.get(segment)
  const found = concrete === undefined ? undefined : walk(concrete, path, end + 1, pathValues)
  if (found !== undefined) return found
  for (const branch of node.templated) {
    const captured = branch.capture(segment)
    if (captured === undefined) continue
    const values = pathValues === undefined ? captured : { ...pathValues, ...captured }
    const within = walk(branch.node, path, end + 1, values)
    if (within !== undefined) return within
  }
  return undefined
}

function allowOf(operations: ReadonlyMap<string, Operation>): string {
  const methods = new Set([...operations.keys(), 'OPTIONS'])
  if (methods.has('GET')) methods.add('HEAD')
  return [...methods].sort().join(', ')
}
