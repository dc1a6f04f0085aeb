import type { Description, MediaType, Operation } from './description.ts'
import { type Documents, isOnOtherHost } from './documents.ts'
import { childrenOf, entriesOf } from './fields.ts'
import { toObject } from './json.ts'
import type { Located } from './location.ts'
import { jsonTypesOf } from './media-types.ts'
import { findUnreadForm } from './parameter-form.ts'

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

/**
 * Returns the reason why the service cannot serve an operation; undefined if it serves it. Such an operation
 * stays in the contract, and its response is 501.
 */
export function reasonUnserved(operation: Operation, documents: Documents): string | undefined {
  return (
    ofMethod(operation) ??
    ofPath(operation) ??
    ofParameters(operation, documents) ??
    ofBody(operation) ??
    ofResponses(operation) ??
    ofReferences(operation, documents)
  )
}

const methods = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH']

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

function ofBody({ body }: Operation): string | undefined {
  const names = namesOf(body?.content ?? [])
  if (names.length === 0 || jsonTypesOf(names).length > 0) {
    return undefined
  }
  return `the service does not read request bodies of ${names.join(', ')}`
}

function ofResponses({ responses }: Operation): string | undefined {
  const contents = responses
    .filter(({ isSuccess }) => isSuccess)
    .map(({ status, content }) => ({ status, names: namesOf(content) }))
    .filter(({ names }) => names.length > 0)
  const [first] = contents
  const hasJson = contents.some(({ names }) => jsonTypesOf(names).length > 0)
  if (first === undefined || hasJson) {
    return undefined
  }
  return `the service does not send ${first.names.join(', ')}, as its ${first.status} has`
}

function namesOf(content: readonly MediaType[]): readonly string[] {
  return content.map(({ name }) => name)
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
  const $ref = findOtherHost(documents.at(at), documents, new Set())
  return $ref === undefined ? undefined : `it refers to ${$ref}, on another host, which is not read`
}

/** Whether descriptions refer to other hosts, by their documents. */
const known = new WeakMap<Documents, boolean>()

function hasOtherHosts(documents: Documents): boolean {
  const isKnown = known.get(documents)
  if (isKnown !== undefined) {
    return isKnown
  }
  const found = /"\$ref":"[a-z][a-z\d+.-]+:/i.test(JSON.stringify(documents.root.value))
  known.set(documents, found)
  return found
}

/** Returns the first reference to another host that a part of a description leads to. */
function findOtherHost(
  node: Located,
  documents: Documents,
  passed: Set<unknown>,
): string | undefined {
  if (passed.has(node.value)) {
    return undefined
  }
  passed.add(node.value)
  if (isOnOtherHost(node)) {
    return String(toObject(node.value)['$ref'])
  }
  const target = documents.tryNext(node)
  const next = [...(target === undefined ? [] : [target]), ...entriesOf(node)]
  for (const each of next) {
    const found = findOtherHost(each, documents, passed)
    if (found !== undefined) {
      return found
    }
  }
  return undefined
}
