import { readBasePath } from './base-path.ts'
import { dereference, type JsonObject, toList, toObject } from './description.ts'
import { type Json, printEntry, printLiteral } from './literal.ts'
import { operationsOf, type Place } from './operation-places.ts'
import { readParameters } from './parameters.ts'

/** The module that tells programs what a service needs to know of each operation at run time. */
export function printOperations(root: JsonObject): string {
  return `/** The path that the description's server URLs end in. */
export const basePath = ${printLiteral(readBasePath(toList(root['servers'])[0]))}

/** What a service needs to know of each operation at run time, by operationId. */
export const operations = ${printTable(root)} as const
`
}

// Each operation begins a line of its own, so that adding one adds lines only.
function printTable(root: JsonObject): string {
  const rows = Object.entries(readOperations(root)).map(([name, row]) =>
    printEntry(name, row, '  '),
  )
  return `{\n${rows.join('')}}`
}

/** What a service needs to know of each operation at run time, by operationId. */
export function readOperations(root: JsonObject): Readonly<Record<string, Json>> {
  const rows = operationsOf(root).map((place) => [place.name, readOperation(root, place)] as const)
  return Object.fromEntries(rows)
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
    ...readPaging(operation),
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

function readPaging({ 'x-paginated-by': cursor }: JsonObject): { readonly [key: string]: Json } {
  return typeof cursor === 'string' ? { paginatedBy: cursor } : {}
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
