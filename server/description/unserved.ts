import type { Description, Operation, Response } from './description.ts'
import type { Documents } from './documents.ts'
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
    ofResponses(operation)
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
  const names = body?.content.map(({ name }) => name) ?? []
  if (names.length === 0 || names.some(isJson)) {
    return undefined
  }
  return `the service does not read request bodies of ${names.join(', ')}`
}

function ofResponses({ responses }: Operation): string | undefined {
  const successes = responses.filter(({ status }) => /^2\d\d$/.test(status))
  if (successes.length === 0) {
    return 'it has no response with a status of 2xx'
  }
  return successes.map(ofResponse).find((reason) => reason !== undefined)
}

function ofResponse({ status, content }: Response): string | undefined {
  const names = content.map(({ name }) => name)
  if (names.length === 0 || names.includes('application/json')) {
    return undefined
  }
  return `the service does not send ${names.join(', ')}, as its ${status} has`
}

function isJson(mediaType: string): boolean {
  return /^[^*;]*[/+]json\s*(?:;|$)/i.test(mediaType)
}
