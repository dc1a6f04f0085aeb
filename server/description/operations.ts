import type { Description, Operation } from './description.ts'
import { reasonUnserved } from './unserved.ts'

/** The keys of a path item that hold operations, but for the one that is new in OpenAPI 3.2. */
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

/** The extension of an operation with its name in code, where that is not the operationId. */
export const codeNameKey = 'x-operation-name'

/** Returns the operations that requests can name, in the order of the description. */
export function routedOperations({ operations }: Description): readonly Operation[] {
  return operations.filter(({ method }) => allMethods.includes(method.toLowerCase()))
}

/** Returns the operations that the service serves, in the order of the description. */
export function servedOperations(description: Description): readonly Operation[] {
  const { documents } = description
  return routedOperations(description).filter(
    (operation) => reasonUnserved(operation, documents) === undefined,
  )
}

/** Returns the name of an operation in code: that of the settings, its operationId, or else `GET /path`. */
export function idOf({ codeName, operationId, name }: Operation): string {
  return codeName ?? operationId ?? name
}
