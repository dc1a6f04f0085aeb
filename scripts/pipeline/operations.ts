import { type JsonObject, toList, toObject } from '../../server/description/json.ts'
import { basePathOf } from '../../server/description/servers.ts'
import { dereference, readSchema } from './description.ts'
import { printLiteral } from './literal.ts'
import { type OperationEntry, operationsOf, parametersOf } from './operation-entries.ts'

/** Returns the module with what a service needs to know of each operation at run time. */
export function printOperations(root: JsonObject): string {
  return `/** The path that the description's server URLs end in. */
export const basePath = ${printLiteral(readBasePathOf(root))}

/** What a service needs to know of each operation at run time, by operationId. */
export const operations = ${printLiteral(readOperations(root))} as const
`
}

/** Returns the path that the server URLs of a description end in. */
export function readBasePathOf(root: JsonObject): string {
  return basePathOf(toList(root['servers'])[0])
}

/** Returns what a service needs to know of each operation, by operationId. */
export function readOperations(root: JsonObject) {
  const table = operationsOf(root).map((entry) => [entry.name, readOperation(root, entry)] as const)
  return Object.fromEntries(table)
}

function readOperation(root: JsonObject, entry: OperationEntry) {
  const { path, method, operation } = entry
  return {
    operationId: ifText(operation['operationId']),
    method,
    path,
    security: toList(operation['security'] ?? root['security']),
    parameters: readParameters(root, entry),
    requestBody: readRequestBody(root, operation),
    paginatedBy: ifText(operation['x-paginated-by']),
    deprecation: operation['deprecated'] === true ? readDeprecation(operation) : undefined,
  }
}

/** Returns parameters by location and name; those of an operation replace those of its path item. */
function readParameters(root: JsonObject, entry: OperationEntry) {
  const all = parametersOf(root, entry)
  const rows = ['path', 'query', 'header', 'cookie'].map((location) => {
    const own = all.filter((parameter) => parameter['in'] === location)
    const named = own.map((one) => [String(one['name']), readParameter(root, one)] as const)
    return [location, Object.fromEntries(named)] as const
  })
  return Object.fromEntries(rows)
}

function readParameter(root: JsonObject, parameter: JsonObject) {
  const required = parameter['required'] === true || parameter['in'] === 'path'
  const follow = (value: unknown) => dereference(root, value)
  const { type, format, items, default: initial } = readSchema(parameter['schema'], follow)
  return {
    required,
    type: readType(type),
    format: ifText(format),
    items: readType(readSchema(items, follow)['type']),
    style: parameter['in'] === 'query' ? parameter['style'] : undefined,
    explode: parameter['explode'],
    allowReserved: parameter['allowReserved'],
    default: initial,
  }
}

/** Returns the one type of a list, or else the type as it is. */
function readType(type: unknown): unknown {
  return Array.isArray(type) && type.length === 1 ? type[0] : type
}

function readRequestBody(root: JsonObject, { requestBody }: JsonObject) {
  if (requestBody === undefined) return undefined
  const { required, content, 'x-max-bytes': maxBytes } = dereference(root, requestBody)
  return {
    required: required === true,
    mediaTypes: Object.keys(toObject(content)),
    maxBytes: typeof maxBytes === 'number' ? maxBytes : undefined,
  }
}

function readDeprecation(operation: JsonObject) {
  const { operationId, description, url } = toObject(operation['x-replaced-by'])
  const replacedBy = {
    operationId: ifText(operationId),
    description: ifText(description),
    url: ifText(url),
  }
  const hasReplacement = operationId !== undefined || description !== undefined
  return {
    since: ifText(operation['x-deprecated-at']),
    sunset: ifText(operation['x-sunset']),
    replacedBy: hasReplacement ? replacedBy : undefined,
  }
}

function ifText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
