import type { Description, Operation } from './description.ts'

/** The keys of a path item that hold operations which the service serves. */
export const servedMethods: readonly string[] = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
]

/** These, and the one that is new in OpenAPI 3.2; others are in `additionalOperations`. */
export const allMethods: readonly string[] = [...servedMethods, 'query']

/** Returns the operations that the service serves, in the order of the description. */
export function servedOperations({ operations }: Description): readonly Operation[] {
  return operations.filter(({ method }) => servedMethods.includes(method.toLowerCase()))
}

/** Returns the name of an operation in code: its operationId, or `GET /path` where there is none. */
export function idOf({ operationId, name }: Operation): string {
  return operationId ?? name
}
