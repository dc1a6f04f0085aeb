import type {
  Description,
  MediaType,
  Operation,
  Parameter,
} from '../../server/description/description.ts'
import type { Documents } from '../../server/description/documents.ts'
import { toText } from '../../server/description/json.ts'
import { idOf } from '../../server/description/operations.ts'
import { itemSchemaOf, pageSchemaOf } from '../../server/description/pagination.ts'
import { isJsonContent, valueSchemaOf } from '../../server/description/parameter-form.ts'
import { pointerKeys } from '../../server/description/pointer.ts'
import { streamItemsOf } from '../../server/description/stream-items.ts'
import { servedOperations } from '../../server/description/unserved.ts'
import { readShape } from '../../server/description/value-shape.ts'
import {
  acceptedContentOf,
  contentOf,
  type SuccessContent,
  successContentOf,
  usualContentOf,
} from './call-content.ts'
import { resultsOf } from './call-headers.ts'
import { readCalls, toStatus } from './call-rows.ts'
import { uploadContentOf, uploadKindOf } from './call-uploads.ts'
import { clientTypeNames, printClientImports, printTypeImports } from './client-exports.ts'
import { printMethodComment } from './doc-comments.ts'
import { toIdentifier } from './identifiers.ts'
import { printLiteral } from './literal.ts'
import { printErrorTypes, printOperationTypes, typeOf, typeOfResponse } from './operation-types.ts'
import { printContent, printSchemaTypes, printType } from './schema-types.ts'
import { nameTypes, type OperationTypeNames, type TypeNames, typeParameters } from './type-names.ts'

/**
 * Prints the module that a client imports: how it calls each operation, the types of its methods, and those of
 * the schemas by name. `client` is the folder of the client, seen from the module.
 */
export function printCalls(description: Description, client: string): string {
  const operations = servedOperations(description)
  const names = nameTypes(description)
  const calls = readCalls(description)
  const methods = printMethods(description, names, operations)
  const types = [
    methods,
    printOperationTypes(description, names),
    printErrorTypes(description, names),
    printWebhooks(description, names),
    printSchemaTypes(description, names),
  ].join('')
  const ofClient = clientTypeNames.filter((name) => methods.includes(name))
  const ofDescription = ['components', 'paths', 'webhooks'].filter((name) => {
    return types.includes(`${name}[`)
  })
  const imports = [
    printClientImports(calls, client),
    printTypeImports(ofClient, client),
    printDescriptionImports(ofDescription),
  ].join('')
  const head = imports === '' ? '' : `${imports}\n`
  return `${head}/** How each operation is called, by operationId. */
export const calls = ${printLiteral(calls)} as const

${types}`
}

function printDescriptionImports(names: readonly string[]): string {
  return names.length === 0 ? '' : `import type { ${names.join(', ')} } from './openapi.d.ts'\n`
}

/** A parameter of a method. */
interface Argument {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly description?: string | undefined
}

function printMethods(
  description: Description,
  names: TypeNames,
  operations: readonly Operation[],
): string {
  const methods = operations.flatMap((operation) => [
    // Overloads: the media type that a call chooses decides on its result. The usual one is the last, which the
    // compiler reports errors of, and takes for the parameters and the result of the method.
    ...acceptedContentOf(operation).map((chosen) => {
      return printMethod(description, names, operation, chosen)
    }),
    printMethod(description, names, operation),
  ])
  const body = methods.join('')
  // With an underscore in front, the compiler allows that a type parameter is unused.
  const parameters = typeParameters.map((name) => {
    return new RegExp(`(?:[:&] |<)${name}\\b`).test(body) ? name : `_${name}`
  })
  return `/**
 * A method for each operation: path parameters in the order of the path, then the body, the query
 * and the options. What a client adds to every result and takes as options is its own.
 */
export interface Methods<${parameters.join(', ')}> {
${body}}

/** A page of a list, with the query of the next page; undefined on the last page. */
export type Page<Item, Query> = Item[] & { readonly next: Query | undefined }
`
}

/** Prints a method as it is usually called, or with a media type that the call chooses. */
function printMethod(
  description: Description,
  names: TypeNames,
  operation: Operation,
  chosen?: SuccessContent,
): string {
  const values = listArguments(description, names, operation, chosen)
  const list = values.map(({ name, type, isRequired }, index) => {
    // A required parameter cannot follow an optional one.
    const isOptional = values.slice(index).every((later) => !later.isRequired)
    const missing = isRequired || isOptional ? '' : ' | undefined'
    return `    ${name}${isOptional ? '?' : ''}: ${type}${missing},\n`
  })

  const result =
    chosen === undefined
      ? printResult(description, names, operation)
      : printChosenResult(description, names, operation, chosen)
  const comment = printMethodComment(operation, values)
  const id = idOf(operation)
  const name = /^[A-Za-z_$][\w$]*$/.test(id) ? id : printLiteral(id)
  return `${comment}  ${name}(\n${list.join('')}  ): ${result}\n`
}

function listArguments(
  description: Description,
  names: TypeNames,
  operation: Operation,
  chosen: SuccessContent | undefined,
): readonly Argument[] {
  const typeNames = names.operations.get(operation) ?? {}
  const { parameters, path } = operation
  const inLocation = (wanted: string) => parameters.filter(({ location }) => location === wanted)
  const usedNames = new Set(['body', 'query', 'options'])
  const inPath = Array.from(path.matchAll(/\{([^{}]+)\}/g), ([, name = '']) => {
    const declared = inLocation('path').find((parameter) => parameter.name === name)
    return {
      name: toIdentifier(name, usedNames),
      type: declared === undefined ? 'string' : `${typeNames.path}[${printLiteral(name)}]`,
      isRequired: true,
      description: toText(declared?.texts['description']),
    }
  })
  return [
    ...inPath,
    ...listBody(description, names, operation),
    ...listQuery(inLocation('query'), typeNames),
    listOptions(operation, typeNames, description.documents, chosen),
  ]
}

/** Returns the argument with the options of a call, to which header fields and cookies belong. */
function listOptions(
  operation: Operation,
  names: OperationTypeNames,
  documents: Documents,
  chosen: SuccessContent | undefined,
): Argument {
  const { parameters, pagination } = operation
  const headers = parameters.filter(({ location }) => location === 'header')
  const cookies = parameters.filter(({ location }) => location === 'cookie')
  // The type of header fields that are not declared is one value.
  const hasStructure = headers.some((header) => !isOneValue(header, documents))
  const ofHeaders = hasStructure ? ' & { readonly [name: string]: unknown }' : ''
  const ownOptions = [
    ...printOption('headers', headers, `${names.header}${ofHeaders}`),
    ...printOption('cookies', cookies, `${names.cookie}`),
  ]

  const isList = pagination !== undefined && chosen === undefined
  const usualOptions = isList ? 'ListOptions' : 'CallOptions'
  const options = hasStructure ? `Omit<${usualOptions}, 'headers'>` : usualOptions
  const ofContent = printContentOptions(operation, chosen)
  const added = ownOptions.length === 0 ? '' : ` & { ${ownOptions.join('; ')} }`
  const isNeeded = [...headers, ...cookies].some((parameter) => parameter.isRequired)
  const isRequired = isNeeded || chosen !== undefined
  return {
    name: 'options',
    type: `${options}${ofContent}${added}`,
    isRequired,
    description: printParameterList([...headers, ...cookies]),
  }
}

/** Prints the options of content that is not JSON. */
function printContentOptions(operation: Operation, chosen: SuccessContent | undefined): string {
  const { kind } = chosen ?? successContentOf(operation) ?? {}
  const uploads = uploadContentOf(operation).map(({ name }) => name)
  const isPlain = uploads.every((name) => !name.includes('*'))
  const type = isPlain ? uploads.map((name) => printLiteral(name)).join(' | ') : 'string'
  return [
    ...(kind === 'events' ? [' & EventOptions'] : []),
    ...(kind === 'lines' || kind === 'bytes' ? [' & StreamOptions'] : []),
    ...printAccept(operation, chosen),
    ...(uploads.length > 1 ? [` & UploadOptions<${type}>`] : []),
  ].join('')
}

/** Prints the option with the media type of the response: the one that is chosen, or the usual one. */
function printAccept(operation: Operation, chosen: SuccessContent | undefined): readonly string[] {
  if (chosen !== undefined) {
    return [` & { readonly accept: ${printLiteral(chosen.media.name)} }`]
  }
  const usual = usualContentOf(operation)
  const hasChoice = usual !== undefined && acceptedContentOf(operation).length > 0
  return hasChoice ? [` & AcceptOptions<${printLiteral(usual)}>`] : []
}

function printOption(name: string, parameters: readonly Parameter[], type: string): string[] {
  if (parameters.length === 0) {
    return []
  }
  const isRequired = parameters.some((parameter) => parameter.isRequired)
  return [isRequired ? `readonly ${name}: ${type}` : `readonly ${name}?: ${type} | undefined`]
}

/** Returns whether a parameter is a text, a number or a boolean. */
function isOneValue(parameter: Parameter, documents: Documents): boolean {
  const types = [readShape(valueSchemaOf(parameter), documents).type ?? []].flat()
  const otherTypes = ['array', 'object', 'null']
  return !isJsonContent(parameter) && types.every((type) => !otherTypes.includes(type))
}

function listQuery(
  query: readonly Parameter[],
  { query: type = '' }: OperationTypeNames,
): readonly Argument[] {
  if (query.length === 0) {
    return []
  }
  const isRequired = query.some((parameter) => parameter.isRequired)
  return [{ name: 'query', type, isRequired, description: printParameterList(query) }]
}

/** Prints parameters as a list, which an editor shows at the argument that has them; undefined if there are none. */
function printParameterList(parameters: readonly Parameter[]): string | undefined {
  const lines = parameters.map(({ location, name, texts }) => {
    const place = { header: 'headers', cookie: 'cookies' }[location]
    const expression = place === undefined ? name : `${place}[${JSON.stringify(name)}]`
    const text = toText(texts['description'])?.trim().replaceAll(/\s+/g, ' ')
    return text === undefined ? `\n- \`${expression}\`` : `\n- \`${expression}\`: ${text}`
  })
  return lines.length === 0 ? undefined : lines.join('')
}

function listBody(
  description: Description,
  names: TypeNames,
  operation: Operation,
): readonly Argument[] {
  const { body } = operation
  if (body === undefined) {
    return []
  }
  const { isRequired, texts, content } = body
  const parent = `NonNullable<${typeOf(operation)}['requestBody']>`
  const uploads = uploadContentOf(operation).map((media) => {
    return printUpload(description, names, media, parent)
  })
  const type =
    [...new Set(uploads)].join(' | ') || printContent(description, names, content, parent)
  return [
    {
      name: 'body',
      type: type ?? 'unknown',
      isRequired,
      description: toText(texts['description']),
    },
  ]
}

/** Returns the type of a body of one media type. */
function printUpload(
  description: Description,
  names: TypeNames,
  media: MediaType,
  parent: string,
): string {
  const type = `${parent}['content'][${printLiteral(media.name)}]`
  const kind = uploadKindOf(media)
  if (kind === 'multipart') {
    return `FormBody<${type}>`
  }
  if (kind === 'bytes') {
    return 'BytesBody'
  }
  if (kind === 'lines') {
    return `LinesBody<${type}>`
  }
  return kind === 'text' ? type : printType(description, names, media.schema, type)
}

function printResult(description: Description, names: TypeNames, operation: Operation): string {
  const { pagination } = operation
  const { query = 'never' } = names.operations.get(operation) ?? {}
  const ofHeaders = printHeadersResult(operation, names)
  const data = printData(description, names, operation)
  const content = successContentOf(operation)
  if (content !== undefined && content.kind !== 'text') {
    return printContentResult(description, names, operation, content, data)
  }
  if (pagination === undefined) {
    return `Promise<${data}> & ${ofHeaders}CallResult`
  }

  if (pagination.items !== '') {
    const item = printItem(description, names, operation, pagination.items, data)
    return `Promise<Page<${item}, ${query}> & { readonly body: ${data} }> & ${ofHeaders}ListResult`
  }

  // The name is what an editor shows.
  const [item] = /^[^|]+(?=\[\]$)/.exec(data) ?? []
  const page =
    item === undefined
      ? `${data} & { readonly next: ${query} | undefined }`
      : `Page<${item}, ${query}>`
  return `Promise<${page}> & ${ofHeaders}ListResult`
}

/** Returns the result of a call that chooses a media type. */
function printChosenResult(
  description: Description,
  names: TypeNames,
  operation: Operation,
  content: SuccessContent,
): string {
  const data = printData(description, names, operation, content.media.name)
  return printContentResult(description, names, operation, content, data)
}

/** Returns the result of a call with content of a kind. */
function printContentResult(
  description: Description,
  names: TypeNames,
  operation: Operation,
  { kind, media }: SuccessContent,
  data: string,
): string {
  if (kind === 'events' || kind === 'lines') {
    const { responseHeaders } = names.operations.get(operation) ?? {}
    const item = printStreamItem(description, names, operation, media)
    const added = responseHeaders && `, { readonly headers: ${responseHeaders} }`
    return `ItemStream<${item}${added ?? ''}>`
  }
  const isBytes = kind !== 'json' && kind !== 'text'
  const ofHeaders = printHeadersResult(operation, names)
  return `Promise<${data}> & ${ofHeaders}${isBytes ? 'DownloadResult' : 'CallResult'}`
}

/** Prints what the result of a call has with headers of the API's own; it comes first, which the compiler takes. */
function printHeadersResult(operation: Operation, names: TypeNames): string {
  const { responseHeaders } = names.operations.get(operation) ?? {}
  return responseHeaders === undefined ? '' : `HeadersResult<${responseHeaders}> & `
}

/** Returns the type of the data of all successes, whose content is the usual one or that of a media type. */
function printData(
  description: Description,
  names: TypeNames,
  operation: Operation,
  mediaType?: string,
): string {
  const success = resultsOf(operation).flatMap((response) => {
    const type = typeOfResponse(operation, response)
    const contents = contentOf(operation, response)
    const content = contents.filter(({ name }) => mediaType === undefined || name === mediaType)
    const hasOnlyOthers = content.length === 0 && contents.length > 0
    return hasOnlyOthers ? [] : [printContent(description, names, content, type) ?? 'undefined']
  })
  return [...new Set(success)].join(' | ') || 'unknown'
}

/** Returns the type of the items of a stream. */
function printStreamItem(
  description: Description,
  names: TypeNames,
  operation: Operation,
  media: MediaType,
): string {
  const { documents } = description
  const response = operation.responses.find(({ content }) => content.includes(media))
  const status = printLiteral(toStatus(response?.status ?? ''))
  const content = `${typeOf(operation)}['responses'][${status}]['content']`
  const type = `ItemOf<${content}[${printLiteral(media.name)}]>`
  // The data of a whole event has another type than its schema where that is JSON.
  const items = streamItemsOf(media, documents)
  return items?.isWholeEvent ? type : printType(description, names, items?.schema, type)
}

/** Returns the type of the items that a JSON Pointer leads to in the data of a page. */
function printItem(
  description: Description,
  names: TypeNames,
  operation: Operation,
  pointer: string,
  data: string,
): string {
  const { documents } = description
  const page = pageSchemaOf(operation)
  const schema = page && itemSchemaOf(page, pointer, documents)
  const list = pointerKeys(pointer).reduce((type, key) => {
    return `NonNullable<${type}[${printLiteral(key)}]>`
  }, data)
  return printType(description, names, schema, `${list}[number]`)
}

/** Prints the types of what the API sends to its consumers; nothing if it sends nothing. */
function printWebhooks(description: Description, names: TypeNames): string {
  const members = description.webhooks.map((each) => printWebhook(description, names, each))
  if (members.length === 0) {
    return ''
  }
  return `
/**
 * What the API sends to its consumers: webhooks by name, and callbacks as \`operation.callback\`, with the bodies
 * of the responses that it takes, by status.
 */
export interface Webhooks {
${members.join('')}}
`
}

function printWebhook(description: Description, names: TypeNames, operation: Operation): string {
  const { path, method, body, responses } = operation
  const parent = `webhooks[${printLiteral(path)}]['${method.toLowerCase()}']`
  const requestBody = `NonNullable<${parent}['requestBody']>`
  const bodyType = body && printContent(description, names, body.content, requestBody)
  const received = responses.map(({ status, content }) => {
    const key = printLiteral(toStatus(status))
    const type = printContent(description, names, content, `${parent}['responses'][${key}]`)
    return `      readonly ${key}: ${type ?? 'undefined'}\n`
  })
  return `${printMethodComment(operation, [])}  readonly ${printLiteral(path)}: {
    readonly body: ${bodyType ?? 'undefined'}
    readonly responses: {
${received.join('')}    }
  }
`
}
