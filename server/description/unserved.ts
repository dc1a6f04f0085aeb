import type { Description, Operation } from './description.ts'
import { type Documents, isOnOtherHost } from './documents.ts'
import { childrenOf } from './fields.ts'
import { toObject } from './json.ts'
import { heldNodes, type LocatedNode } from './nodes.ts'
import { routedOperations } from './operations.ts'
import { findUnreadForm } from './parameter-form.ts'
import { pointerKeys, toPointer } from './pointer.ts'
import { findId } from './schema-ids.ts'

/** The operations that the service does not serve, with the reasons, by names such as `TRACE /orders`. */
export type UnservedOperations = ReadonlyMap<string, string>

/** Returns the operations of a description that the service does not serve. */
export function unservedOperations(description: Description): UnservedOperations {
  const { operations, documents } = description
  const reasons = operations.flatMap((operation) => {
    const reason = reasonUnserved(operation, documents)
    return reason === undefined ? [] : [[operation.name, reason] as const]
  })
  return new Map(reasons)
}

/** Returns the operations that the service serves, in the order of the description. */
export function servedOperations(description: Description): readonly Operation[] {
  const { documents } = description
  return routedOperations(description).filter(
    (operation) => reasonUnserved(operation, documents) === undefined,
  )
}

/**
 * Returns the reason why the service cannot serve an operation; undefined if it serves it. Such an operation
 * stays in the contract, and its response is 501.
 */
export function reasonUnserved(operation: Operation, documents: Documents): string | undefined {
  return (
    ofMethod(operation) ??
    ofPath(operation) ??
    ofParameters(operation, documents) ??
    ofReferences(operation, documents)
  )
}

const methods = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'QUERY']

function ofMethod({ method }: Operation): string | undefined {
  if (methods.includes(method)) {
    return undefined
  }
  return method === 'TRACE'
    ? 'proxies and browsers reject TRACE'
    : `the service does not serve the method ${method}`
}

function ofPath({ path }: Operation): string | undefined {
  if (path.includes('}{')) {
    return 'nothing separates the parameters of its path'
  }
  return /[?#]/.test(path) ? 'a path has no query and no fragment' : undefined
}

function ofParameters({ parameters }: Operation, documents: Documents): string | undefined {
  for (const { name, location, form, schema, content } of parameters) {
    const { style, explode } = form
    const mediaTypes = content.map((media) => media.name)
    const described = { location, style, explode, schema, mediaTypes }
    const unread = findUnreadForm(described, documents)
    if (unread !== undefined) {
      return `the service does not read ${unread}, as the ${location} parameter ${name} has`
    }
  }
  return undefined
}

/** Returns the paths of a description that refer to another host: their operations are not known. */
export function pathsOnOtherHosts({ documents }: Description): readonly string[] {
  const paths = childrenOf(documents.root, 'paths')
  return paths.filter(isOnOtherHost).map(({ key }) => key)
}

function ofReferences({ at }: Operation, documents: Documents): string | undefined {
  if (!hasOtherHosts(documents)) {
    return undefined
  }
  const keysOfPath = pointerKeys(at.pointer).slice(0, -1)
  const item = documents.at({ ...at, pointer: toPointer(keysOfPath) })
  const parametersOfPath = childrenOf(item, 'parameters')
  const parts: readonly LocatedNode[] = [
    { node: documents.at(at), kind: 'operation' },
    ...parametersOfPath.map((node) => ({ node, kind: 'parameter' }) as const),
  ]
  const passed = new Set()
  const $ref = parts
    .map((part) => findOtherHost(part, documents, passed))
    .find((reference) => reference !== undefined)
  return $ref === undefined ? undefined : describeUnread($ref, documents.root.value)
}

function describeUnread($ref: string, root: unknown): string {
  const [uri = ''] = $ref.split('#')
  return findId(root, uri) === undefined
    ? `it refers to ${$ref}, on another host, which is not read`
    : `it refers to ${$ref}, the $id of a schema, which is not followed`
}

/** Whether descriptions refer to other hosts, by their documents. */
const hasOtherHostsByDocuments = new WeakMap<Documents, boolean>()

function hasOtherHosts(documents: Documents): boolean {
  const isKnown = hasOtherHostsByDocuments.get(documents)
  if (isKnown !== undefined) {
    return isKnown
  }
  const hasOtherHost = /"\$ref":"[a-z][a-z\d+.-]+:/i.test(JSON.stringify(documents.root.value))
  hasOtherHostsByDocuments.set(documents, hasOtherHost)
  return hasOtherHost
}

/**
 * Returns the first reference to another host that the requests and the responses of an operation depend on;
 * the requests of its callbacks are sent by the API's own code.
 */
function findOtherHost(
  part: LocatedNode,
  documents: Documents,
  passed: Set<unknown>,
): string | undefined {
  const { node, kind } = part
  if (passed.has(node.value) || kind === 'callback') {
    return undefined
  }
  passed.add(node.value)
  if (isOnOtherHost(node)) {
    return String(toObject(node.value)['$ref'])
  }
  const target = documents.tryNext(node)
  const next = [...(target === undefined ? [] : [{ node: target, kind }]), ...heldNodes(part)]
  for (const each of next) {
    const otherHost = findOtherHost(each, documents, passed)
    if (otherHost !== undefined) {
      return otherHost
    }
  }
  return undefined
}
