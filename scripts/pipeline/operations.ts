import type {
  Body,
  Deprecation,
  Description,
  MediaType,
  Operation,
  Parameter,
} from '../../server/description/description.ts'
import type { Documents } from '../../server/description/documents.ts'
import { toText } from '../../server/description/json.ts'
import { jsonTypesOf } from '../../server/description/media-types.ts'
import { idOf, routedOperations } from '../../server/description/operations.ts'
import {
  isJsonContent,
  isUsuallyExploded,
  usualStyle,
  valueSchemaOf,
} from '../../server/description/parameter-form.ts'
import { findKeyword } from '../../server/description/schemas.ts'
import { basePathOf } from '../../server/description/servers.ts'
import type { Settings } from '../../server/description/settings.ts'
import { reasonUnserved } from '../../server/description/unserved.ts'
import { readShape } from '../../server/description/value-shape.ts'
import { readForms } from './form-rows.ts'
import { printLiteral } from './literal.ts'

/** Returns the module with what a service needs to know of each operation at run time. */
export function printOperations(description: Description, settings: Settings): string {
  return `/** The path that the description's server URLs end in. */
export const basePath = ${printLiteral(readBasePath(description))}

/** What a service needs to know of each operation at run time, by operationId. */
export const operations = ${printLiteral(readOperations(description, settings))} as const

/** What \`spec/service.yaml\` says beside the description. */
export const settings = ${printLiteral(settings)} as const

/** How the credentials of each security scheme are sent, by its name. */
export const securitySchemes = ${printLiteral(readSchemes(description))} as const
`
}

/** Returns the path that the server URLs of a description end in. */
export function readBasePath({ servers }: Description): string {
  return basePathOf(servers[0]?.defaultUrl ?? '')
}

/** Returns how the credentials of each security scheme are sent, by its name. */
function readSchemes({ securitySchemes }: Description) {
  const rows = Array.from(securitySchemes.values(), ({ name, form, bearerFormat }) => {
    const { type, scheme, in: location, name: field, openIdConnectUrl } = form
    return [
      name,
      { type, scheme, bearerFormat, in: location, name: field, openIdConnectUrl },
    ] as const
  })
  return Object.fromEntries(rows)
}

/** Returns what a service needs to know of each operation, by operationId. */
export function readOperations(description: Description, settings: Settings = {}) {
  const { documents } = description
  const table = routedOperations(description).map((operation) => {
    const unserved = reasonUnserved(operation, documents)
    const row =
      unserved === undefined
        ? readOperation(operation, documents, settings)
        : { ...readRoute(operation, readParameters([], documents)), unserved }
    return [idOf(operation), row] as const
  })
  return Object.fromEntries(table)
}

/** Returns what the router and authentication need of an operation. */
function readRoute(operation: Operation, parameters: ReturnType<typeof readParameters>) {
  const { method, path, security } = operation
  return {
    operationId: idOf(operation),
    method: method.toLowerCase(),
    path,
    security: security.alternatives.map((requirement) => Object.fromEntries(requirement)),
    parameters,
  }
}

function readOperation(operation: Operation, documents: Documents, settings: Settings) {
  const { parameters, body, deprecation } = operation
  return {
    ...readRoute(operation, readParameters(parameters, documents)),
    requestBody: body && readRequestBody(body, documents, settings),
    deprecation: deprecation.isDeprecated ? readDeprecation(deprecation) : undefined,
  }
}

/** Returns parameters by location and name. */
function readParameters(parameters: readonly Parameter[], documents: Documents) {
  const rows = ['path', 'query', 'header', 'cookie'].map((location) => {
    const inLocation = parameters.filter((parameter) => parameter.location === location)
    const entries = inLocation.map((parameter) => {
      return [parameter.name, readParameter(parameter, documents)] as const
    })
    return [location, Object.fromEntries(entries)] as const
  })
  return Object.fromEntries(rows)
}

function readParameter(parameter: Parameter, documents: Documents) {
  const { isRequired, location, form } = parameter
  const { style, explode, allowReserved } = form
  const schema = valueSchemaOf(parameter)
  const isJson = isJsonContent(parameter)
  // The members of JSON have their types already.
  const { type, emptyText, ...parts } = isJson ? {} : readShape(schema, documents)
  const isEmptyAllowed = location === 'query' ? form.allowEmptyValue : location !== 'path'
  return {
    required: isRequired,
    type,
    format: toText(findKeyword(schema, 'format', documents)?.value),
    ...parts,
    emptyText: isEmptyAllowed ? emptyText : undefined,
    content: isJson ? 'json' : undefined,
    style: style === usualStyle(location) ? undefined : style,
    explode: explode === isUsuallyExploded(style) ? undefined : explode,
    allowReserved: allowReserved || undefined,
    allowEmptyValue: form.allowEmptyValue || undefined,
    default: findKeyword(schema, 'default', documents)?.value,
  }
}

function readRequestBody(
  { isRequired, content, maxBytes }: Body,
  documents: Documents,
  { requests }: Settings,
) {
  const mediaTypes = content.map(({ name }) => name)
  return {
    required: isRequired,
    mediaTypes,
    jsonRanges: readJsonRanges(content),
    forms: readForms(content, documents),
    maxBytes: maxBytes ?? requests?.maxBytes,
    acceptsLargeIntegers: requests?.largeIntegers === 'accept' || undefined,
  }
}

/** Returns the ranges of media types whose schema applies to JSON; undefined if there are none. */
function readJsonRanges(content: readonly MediaType[]) {
  const ranges = content.filter(({ name, schema }) => {
    return schema !== undefined && name.includes('*') && jsonTypesOf([name]).length > 0
  })
  return ranges.length === 0 ? undefined : ranges.map(({ name }) => name)
}

function readDeprecation({ since, sunset, replacement }: Deprecation) {
  const { operationId, description, url } = replacement
  const replacedBy = {
    operationId: toText(operationId),
    description: toText(description),
    url: toText(url),
  }
  const hasReplacement = operationId !== undefined || description !== undefined
  return { since: toText(since), sunset, replacedBy: hasReplacement ? replacedBy : undefined }
}
