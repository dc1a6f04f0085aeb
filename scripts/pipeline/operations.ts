import { readBasePath } from './base-path.ts'
import { dereference, isObject, type JsonObject, toList, toObject } from './description.ts'
import { DescriptionError } from './failure.ts'
import { type Json, printLiteral } from './literal.ts'
import { readParameters } from './parameters.ts'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** The module that tells programs what they need to know of each operation at run time. */
export function printOperations(root: JsonObject): string {
  return `/** The path that the description's server URLs end in. */
export const basePath = ${printLiteral(readBasePath(toList(root['servers'])[0]))}

/** What programs need to know of each operation at run time, by operationId. */
export const operations = ${printTable(readOperations(root))} as const
`
}

function printTable(operations: ReadonlyMap<string, Json>): string {
  // The table itself is never on one line, so that adding an operation adds lines only.
  return printLiteral(Object.fromEntries(operations), '', Number.POSITIVE_INFINITY)
}

function readOperations(root: JsonObject): Map<string, Json> {
  const operations = new Map<string, Json>()
  for (const [path, value] of Object.entries(toObject(root['paths']))) {
    const pathItem = dereference(root, value)
    for (const [method, operation] of Object.entries(pathItem)) {
      if (!methods.includes(method) || !isObject(operation)) continue
      const name = operation['operationId'] ?? `${method.toUpperCase()} ${path}`
      if (operations.has(String(name))) {
        throw new DescriptionError([`operationId ${name} is used twice; name each operation once`])
      }
      operations.set(String(name), readOperation(root, { path, method, pathItem, operation }))
    }
  }
  return operations
}

interface Place {
  readonly path: string
  readonly method: string
  readonly pathItem: JsonObject
  readonly operation: JsonObject
}

function readOperation(root: JsonObject, { path, method, pathItem, operation }: Place): Json {
  const { operationId } = operation
  return {
    ...(typeof operationId === 'string' && { operationId }),
    method,
    path,
    security: readSecurity(operation['security'] ?? root['security']),
    parameters: readParameters(root, pathItem, operation),
    ...readRequestBody(root, operation),
    ...readDeprecation(operation),
  }
}

function readSecurity(security: unknown): Json {
  return toList(security).map((alternative) =>
    Object.fromEntries(
      Object.entries(toObject(alternative)).map(([scheme, scopes]) => [
        scheme,
        toList(scopes).map(String),
      ]),
    ),
  )
}

function readRequestBody(
  root: JsonObject,
  { requestBody }: JsonObject,
): { readonly [key: string]: Json } {
  if (requestBody === undefined) return {}
  const { required, content, 'x-max-bytes': maxBytes } = dereference(root, requestBody)
  return {
    requestBody: {
      required: required === true,
      mediaTypes: Object.keys(toObject(content)),
      ...(typeof maxBytes === 'number' && { maxBytes }),
    },
  }
}

function readDeprecation(operation: JsonObject): { readonly [key: string]: Json } {
  if (operation['deprecated'] !== true) return {}
  const since = operation['x-deprecated-at']
  const sunset = operation['x-sunset']
  const { operationId, description } = toObject(operation['x-replaced-by'])
  const replacedBy = {
    ...(typeof operationId === 'string' && { operationId }),
    ...(typeof description === 'string' && { description }),
  }
  return {
    deprecation: {
      ...(typeof since === 'string' && { since }),
      ...(typeof sunset === 'string' && { sunset }),
      ...(Object.keys(replacedBy).length > 0 && { replacedBy }),
    },
  }
}
