import type { Description, Operation } from './description.ts'
import { childrenOf, type Entry, entriesOf } from './fields.ts'
import { METHODS } from './http-names.ts'
import type { Located } from './location.ts'

/** The keys of a path item that hold operations; `query` is new in OpenAPI 3.2, and others are in `additionalOperations`. */
export const allMethods: readonly string[] = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
  'query',
]

/** The key of a path item that holds operations with other methods, by the names of these. */
export const otherOperationsKey = 'additionalOperations'

/** Returns the operations of a path item, with the names of their methods in upper case as their keys. */
export function operationEntries(item: Located): readonly Entry[] {
  const usual = entriesOf(item).filter(({ key }) => allMethods.includes(key))
  const named = usual.map((entry) => ({ ...entry, key: entry.key.toUpperCase() }))
  // Names of methods have a case, but OpenAPI writes those that it knows in lower case.
  return [...named, ...childrenOf(item, otherOperationsKey)]
}

/** Returns the keys that lead from a path item to its operation with a method. */
export function keysOfMethod(method: string): readonly string[] {
  const key = method.toLowerCase()
  return allMethods.includes(key) ? [key] : [otherOperationsKey, method.toUpperCase()]
}

/** The extension of an operation with its name in code, where that is not the operationId. */
export const codeNameKey = 'x-operation-name'

/** Returns the operations that requests can name, in the order of the description. */
export function routedOperations({ operations }: Description): readonly Operation[] {
  // Node.js reads no request with another method.
  return operations.filter(({ method }) => METHODS.includes(method) && method !== 'CONNECT')
}

/** Returns the name of an operation in code: that of the settings, its operationId, or else `GET /path`. */
export function idOf({ codeName, operationId, name }: Operation): string {
  return codeName ?? operationId ?? name
}
