import type { Description, Operation, Response } from '../../server/description/description.ts'
import { idOf } from '../../server/description/operations.ts'
import { servedOperations } from '../../server/description/unserved.ts'
import { ownHeadersOf, resultsOf } from './call-headers.ts'
import { toStatus } from './call-rows.ts'
import { printComment } from './doc-comments.ts'
import { printLiteral } from './literal.ts'
import { printContent, printNamed } from './schema-types.ts'
import type { TypeNames } from './type-names.ts'

/** Returns the type of an operation in `generated/openapi.d.ts`. */
export function typeOf({ path, method }: Operation): string {
  return `paths[${printLiteral(path)}]['${method.toLowerCase()}']`
}

/** Returns the type of a response in `generated/openapi.d.ts`. */
export function typeOfResponse(operation: Operation, { status }: Response): string {
  return `${typeOf(operation)}['responses'][${printLiteral(toStatus(status))}]`
}

/** Prints the types of the parameters and of the response headers of each operation. */
export function printOperationTypes(description: Description, names: TypeNames): string {
  const types = servedOperations(description).map((operation) => {
    return printParameterTypes(operation, names) + printHeaderType(operation, names)
  })
  return types.join('')
}

/** The parameters in each location, in words. */
const locations = {
  path: 'path parameters',
  query: 'query parameters',
  header: 'header fields of a request',
  cookie: 'cookies',
} as const

function printParameterTypes(operation: Operation, names: TypeNames): string {
  const typeNames = names.operations.get(operation) ?? {}
  const keys = ['path', 'query', 'header', 'cookie'] as const
  const types = keys.map((key) => {
    const type = `NonNullable<${typeOf(operation)}['parameters']['${key}']>`
    const comment = printComment(`The ${locations[key]} of \`${idOf(operation)}\`.`)
    const name = typeNames[key]
    return name === undefined ? '' : `\n${comment}export type ${name} = ${printNamed(type)}\n`
  })
  return types.join('')
}

/** Prints the type of the headers of the results of an operation, as `withResponse` returns them. */
function printHeaderType(operation: Operation, names: TypeNames): string {
  const { responseHeaders } = names.operations.get(operation) ?? {}
  if (responseHeaders === undefined) {
    return ''
  }

  const results = resultsOf(operation)
  const members = ownHeadersOf(operation).map(({ name, texts }) => {
    const having = results.filter(({ headers }) => headers.some((header) => header.name === name))
    const types = having.map((response) => {
      return `NonNullable<${typeOfResponse(operation, response)}['headers'][${printLiteral(name)}]>`
    })
    const required = results.filter(({ headers }) => {
      return headers.some((header) => header.name === name && header.isRequired)
    })
    const mark = required.length === results.length ? '' : '?'
    const comment = printComment(texts['description'], '  ')
    return `${comment}  readonly ${printLiteral(name)}${mark}: ${types.join(' | ')}\n`
  })
  const comment = printComment(`The response headers of \`${idOf(operation)}\` that the API has.`)
  return `\n${comment}export interface ${responseHeaders} {\n${members.join('')}}\n`
}

/** Prints the types of the bodies of errors: of all, and by status. */
export function printErrorTypes(description: Description, names: TypeNames): string {
  const { errorBodies, errorBody } = names
  const errors = servedOperations(description).flatMap((operation) => {
    const responses = operation.responses.filter(isError)
    return responses.flatMap((response) => {
      const parent = typeOfResponse(operation, response)
      const types = response.content.map((media) => {
        return printContent(description, names, [media], parent) ?? 'undefined'
      })
      return types.map((type) => ({ status: toStatus(response.status), type }))
    })
  })

  const byStatus = [...Map.groupBy(errors, ({ status }) => status)].sort(([a], [b]) => {
    return String(a) < String(b) ? -1 : 1
  })
  const members = byStatus.map(([status, group]) => {
    const types = new Set(group.map(({ type }) => type))
    return `  readonly ${printLiteral(status)}: ${[...types].join(' | ')}\n`
  })
  return `
/** The bodies of error responses, by status. */
export interface ${errorBodies} {
${members.join('')}}

/** The body of an error response: of any, or of one with a status. */
export type ${errorBody}<Status extends keyof ${errorBodies} = keyof ${errorBodies}> = ${errorBodies}[Status]
`
}

function isError({ status, isSuccess }: Response): boolean {
  return !isSuccess && /^[45]|default/.test(status)
}
