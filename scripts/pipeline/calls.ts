import type {
  Body,
  Deprecation,
  Description,
  MediaType,
  Operation,
  Parameter,
  Response,
} from '../../server/description/description.ts'
import type { Documents } from '../../server/description/documents.ts'
import { childOf } from '../../server/description/fields.ts'
import { toObject, toText } from '../../server/description/json.ts'
import type { Located } from '../../server/description/location.ts'
import { isJsonType, json } from '../../server/description/media-types.ts'
import { idOf, servedOperations } from '../../server/description/operations.ts'
import { itemSchemaOf, pageSchemaOf } from '../../server/description/pagination.ts'
import {
  isJsonContent,
  isUsuallyExploded,
  usualStyle,
  valueSchemaOf,
} from '../../server/description/parameter-form.ts'
import { pointerKeys } from '../../server/description/pointer.ts'
import { findKeyword, partsOf } from '../../server/description/schemas.ts'
import { readShape } from '../../server/description/value-shape.ts'
import { printLiteral } from './literal.ts'
import { hasBearerKeysAlone, sentSecurity } from './sent-credentials.ts'

/**
 * Prints the module that a client imports: how it calls each operation, without what it does not need
 * because applications ship it, the types of its methods, and those of the schemas by name.
 */
export function printCalls(description: Description): string {
  const operations = servedOperations(description)
  const names = nameSchemas(description)
  const methods = printMethods(description, names, operations)
  const types = `${methods}${printSchemaTypes(description, names)}`
  const used = ['components', 'paths'].filter((name) => types.includes(`${name}[`))
  const imports = `import type { ${used.join(', ')} } from './openapi.d.ts'\n\n`
  return `${used.length > 0 ? imports : ''}/** How each operation is called, by operationId. */
export const calls = ${printLiteral(readCalls(description))} as const

${types}`
}

/** Returns how a client calls each operation, by operationId. */
export function readCalls(description: Description) {
  const hasUsualSecurity = hasBearerKeysAlone(description)
  const table = servedOperations(description).map((operation) => {
    const security = hasUsualSecurity ? {} : { security: readSecurity(description, operation) }
    return [
      idOf(operation),
      { ...readCall(operation, description.documents), ...security },
    ] as const
  })
  return Object.fromEntries(table)
}

function readCall(operation: Operation, documents: Documents) {
  const { path, method, parameters, body, deprecation, responses } = operation
  const isIdempotent = parameters.some(
    ({ location, name }) => location === 'header' && /^idempotency-key$/i.test(name),
  )
  const replacement = deprecation.isDeprecated ? nameReplacement(deprecation) : undefined
  return {
    method: method.toLowerCase(),
    path,
    ...(parameters.some(({ location }) => location === 'query') && { query: true }),
    ...readStyles(parameters, documents),
    ...(body && readBody(body)),
    ...(isIdempotent && { idempotent: true }),
    ...readPages(operation, documents),
    ...(replacement !== undefined && { replacement }),
    ...readEmpty(operation),
    ...readRedirects(responses),
  }
}

/** Returns how a list leads from page to page. */
function readPages({ pagination, parameters }: Operation, documents: Documents) {
  if (pagination === undefined) {
    return {}
  }
  const { style, items, limitParam, nextCursor, nextLink, hasMore, total, totalPages } = pagination
  const name = pagination.cursorParam ?? pagination.offsetParam
  const counted = parameters.find((each) => each.location === 'query' && each.name === name)
  const schema = counted === undefined ? undefined : valueSchemaOf(counted)
  const first = findKeyword(schema, 'default', documents)?.value
  const usualStart = style === 'page' ? 1 : 0
  const start = typeof first === 'number' ? first : usualStart
  const isCounted = style === 'page' || style === 'offset'
  const next = nextCursor ?? nextLink
  const row = {
    style,
    ...(items !== '' && { items }),
    ...(name !== undefined && { parameter: name }),
    ...(isCounted && start !== 0 && { start }),
    ...(isCounted && limitParam !== undefined && { limit: limitParam }),
    ...(next !== undefined && { next }),
    ...(hasMore !== undefined && { hasMore }),
    ...(total !== undefined && { total }),
    ...(totalPages !== undefined && { totalPages }),
  }
  return { pages: row }
}

/** Returns how parameters are written that are not as usual, in the few characters that an application ships. */
function readStyles(parameters: readonly Parameter[], documents: Documents) {
  const styles = parameters.flatMap((parameter) => {
    const style = printStyle(parameter, documents)
    return style === undefined ? [] : [[`${parameter.location} ${parameter.name}`, style] as const]
  })
  return styles.length === 0 ? {} : { styles: Object.fromEntries(styles) }
}

/** Prints a style such as `form*`: `*` is for `explode`, `+` for `allowReserved`, `?` for null. */
function printStyle(parameter: Parameter, documents: Documents): string | undefined {
  const { location, form } = parameter
  const { style, explode, allowReserved } = form
  const types = [readShape(valueSchemaOf(parameter), documents).type ?? []].flat()
  const reserved = allowReserved && location === 'query' ? '+' : ''
  const nullable = types.includes('null') ? '?' : ''
  if (isJsonContent(parameter)) {
    return `json${reserved}${nullable}`
  }

  const usual = usualStyle(location)
  // A single text is the same, whether it is exploded or not.
  const isText = types.length > 0 && !types.includes('array') && !types.includes('object')
  const isExploded = isText ? isUsuallyExploded(usual) : explode
  const isUsual = style === usual && isExploded === isUsuallyExploded(usual)
  const flags = `${isExploded ? '*' : ''}${reserved}${nullable}`
  return isUsual && reserved === '' && nullable === '' ? undefined : `${style}${flags}`
}

/** Returns what an operation requires, in the few characters that an application ships. */
function readSecurity(description: Description, operation: Operation) {
  const combinations = sentSecurity(description, operation).map((schemes) => {
    const forms = Array.from(schemes, ([name, sent]) => {
      return [name, 'name' in sent ? `${sent.in} ${sent.name}` : sent.in] as const
    })
    return Object.fromEntries(forms)
  })
  const isPublic = combinations.every((schemes) => Object.keys(schemes).length === 0)
  return isPublic ? [] : combinations
}

/** Returns whether there is a body, or its media type where that is not `application/json`. */
function readBody({ content }: Body) {
  const mediaType = preferredContent(content)?.name ?? json
  // A range such as `*/*` is no type that content could have.
  const isUsual = mediaType === json || mediaType.includes('*')
  return { body: isUsual ? true : mediaType }
}

/** Returns the statuses of success, other than 204, whose responses have no content, ranges and `default` among them. */
function readEmpty(operation: Operation) {
  const empty = operation.responses
    .filter(({ status, isSuccess }) => isSuccess && /^2|default/.test(status) && status !== '204')
    .filter((response) => contentOf(operation, response).length === 0)
    .map(({ status }) => toStatus(status))
  return empty.length === 0 ? {} : { empty }
}

/** Returns the statuses of redirects that are declared, `3XX` among them. */
function readRedirects(responses: readonly Response[]) {
  const redirects = responses.filter(isRedirect).map(({ status }) => toStatus(status))
  return redirects.length === 0 ? {} : { redirects }
}

/** Returns whether a response is a redirect, whose location a caller may want; 304 is none. */
function isRedirect({ status }: Response): boolean {
  return status.startsWith('3') && status !== '304'
}

/** Returns a status as a number; a range and `default` are texts. */
function toStatus(status: string): number | string {
  return /^\d+$/.test(status) ? Number(status) : status
}

/** Returns the content of a response to an operation; there is none to HEAD. */
function contentOf({ method }: Operation, { content }: Response): readonly MediaType[] {
  return method === 'HEAD' ? [] : content
}

/** Returns the content of JSON, or else the first; undefined if there is none. */
function preferredContent(content: readonly MediaType[]): MediaType | undefined {
  const isJson = ({ name }: MediaType) => isJsonType(name)
  return content.find(({ name }) => name === json) ?? content.find(isJson) ?? content[0]
}

function nameReplacement({ replacement }: Deprecation): string | undefined {
  const { operationId, description = operationId } = replacement
  return toText(description)
}

type Names = ReadonlyMap<string, string>

/** The type parameters of the methods, which a client fills in. */
const typeParameters = ['CallResult', 'ListResult', 'CallOptions', 'ListOptions']

/** A parameter of a method. */
interface Argument {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly description?: unknown
}

function printMethods(
  description: Description,
  names: Names,
  operations: readonly Operation[],
): string {
  const methods = operations.map((operation) => {
    const values = listArguments(description, names, operation)
    const result = printResult(description, names, operation)
    const list = values.map(({ name, type, isRequired }, index) => {
      // A required parameter cannot follow an optional one.
      const isOptional = values.slice(index).every((later) => !later.isRequired)
      const missing = isRequired || isOptional ? '' : ' | undefined'
      return `    ${name}${isOptional ? '?' : ''}: ${type}${missing},\n`
    })
    const comment = printComment(operation, values)
    const id = idOf(operation)
    const name = /^[A-Za-z_$][\w$]*$/.test(id) ? id : printLiteral(id)
    return `${comment}  ${name}(\n${list.join('')}  ): ${result}\n`
  })
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

// An editor shows this at the methods of the client, and strikes through what is deprecated.
function printComment({ texts, deprecation }: Operation, values: readonly Argument[]): string {
  const { isDeprecated, sunset } = deprecation
  const replacement = nameReplacement(deprecation)
  const until = sunset === undefined ? '' : ` It will be removed on ${sunset}.`
  const instead = replacement === undefined ? '' : ` Use ${replacement} instead.`
  const own = [texts['summary'], texts['description']].filter((text) => typeof text === 'string')
  const tags = values
    .filter((value) => typeof value.description === 'string')
    .map((value) => `@param ${value.name} ${value.description}`)
  if (isDeprecated) {
    tags.push(`@deprecated${until}${instead}`)
  }
  const paragraphs = [...own.map((text) => [text]), tags].filter((lines) => lines.length > 0)
  const lines = paragraphs.flatMap((part) => ['', ...part.flatMap(toCommentLines)]).slice(1)
  return lines.length === 0 ? '' : printLines(lines, '  ')
}

function toCommentLines(text: string): readonly string[] {
  return text.trim().replaceAll('*/', '*\\/').split(/\r?\n/)
}

function printLines(lines: readonly string[], indent: string): string {
  const inside = lines.map((line) => `${indent} * ${line}`.trimEnd())
  return [`${indent}/**`, ...inside, `${indent} */\n`].join('\n')
}

function listArguments(
  description: Description,
  names: Names,
  operation: Operation,
): readonly Argument[] {
  const type = `${typeOf(operation)}['parameters']`
  const { parameters, path } = operation
  const inLocation = (wanted: string) => parameters.filter(({ location }) => location === wanted)
  const taken = new Set(['body', 'query', 'options'])
  const inPath = Array.from(path.matchAll(/\{([^{}]+)\}/g), ([, name = '']) => {
    const declared = inLocation('path').find((parameter) => parameter.name === name)
    return {
      name: toIdentifier(name, taken),
      type: declared === undefined ? 'string' : `${type}['path'][${printLiteral(name)}]`,
      isRequired: true,
      description: declared?.texts['description'],
    }
  })
  return [
    ...inPath,
    ...listBody(description, names, operation),
    ...listQuery(inLocation('query'), `${type}['query']`),
    listOptions(operation, type, description.documents),
  ]
}

/** Returns the argument with the options of a call, to which header fields and cookies belong. */
function listOptions(
  { parameters, pagination }: Operation,
  type: string,
  documents: Documents,
): Argument {
  const headers = parameters.filter(({ location }) => location === 'header')
  const cookies = parameters.filter(({ location }) => location === 'cookie')
  // The type of any header field is one value.
  const hasStructure = headers.some((header) => !isOneValue(header, documents))
  const ofHeaders = hasStructure ? ' & { readonly [name: string]: unknown }' : ''
  const own = [
    ...printOption('headers', headers, `${type}['header']${ofHeaders}`),
    ...printOption('cookies', cookies, `${type}['cookie']`),
  ]

  const options = pagination === undefined ? 'CallOptions' : 'ListOptions'
  const others = hasStructure ? `Omit<${options}, 'headers'>` : options
  const added = own.length === 0 ? '' : ` & { ${own.join('; ')} }`
  const isRequired = [...headers, ...cookies].some((parameter) => parameter.isRequired)
  return { name: 'options', type: `${others}${added}`, isRequired }
}

function printOption(name: string, parameters: readonly Parameter[], type: string): string[] {
  const isRequired = parameters.some((parameter) => parameter.isRequired)
  return parameters.length === 0 ? [] : [`readonly ${name}${isRequired ? '' : '?'}: ${type}`]
}

/** Returns whether a parameter is a text, a number or a boolean. */
function isOneValue(parameter: Parameter, documents: Documents): boolean {
  const types = [readShape(valueSchemaOf(parameter), documents).type ?? []].flat()
  const others = ['array', 'object', 'null']
  return !isJsonContent(parameter) && types.every((type) => !others.includes(type))
}

function listQuery(query: readonly Parameter[], type: string): readonly Argument[] {
  if (query.length === 0) {
    return []
  }
  return [{ name: 'query', type, isRequired: query.some(({ isRequired }) => isRequired) }]
}

function listBody(
  description: Description,
  names: Names,
  operation: Operation,
): readonly Argument[] {
  const { body } = operation
  if (body === undefined) {
    return []
  }
  const { isRequired, texts, content } = body
  const parent = `NonNullable<${typeOf(operation)}['requestBody']>`
  const type = printContent(description, names, content, parent)
  return [{ name: 'body', type: type ?? 'unknown', isRequired, description: texts['description'] }]
}

function printResult(description: Description, names: Names, operation: Operation): string {
  const { responses, pagination } = operation
  const success = responses
    .filter((response) => response.isSuccess && !/^(?:1|304)/.test(response.status))
    .map((response) => {
      const key = printLiteral(toStatus(response.status))
      const parent = `${typeOf(operation)}['responses'][${key}]`
      const content = contentOf(operation, response)
      return printContent(description, names, content, parent) ?? 'undefined'
    })
  const data = [...new Set(success)].join(' | ') || 'unknown'
  if (pagination === undefined) {
    return `Promise<${data}> & CallResult`
  }

  const query = `NonNullable<${typeOf(operation)}['parameters']['query']>`
  if (pagination.items !== '') {
    const item = printItem(description, names, operation, pagination.items, data)
    return `Promise<Page<${item}, ${query}> & { readonly body: ${data} }> & ListResult`
  }

  // The name is what an editor shows.
  const [item] = /^[^|]+(?=\[\]$)/.exec(data) ?? []
  const page =
    item === undefined
      ? `${data} & { readonly next: ${query} | undefined }`
      : `Page<${item}, ${query}>`
  return `Promise<${page}> & ListResult`
}

/** Returns the type of the items that a JSON Pointer leads to in the data of a page. */
function printItem(
  description: Description,
  names: Names,
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

function typeOf({ path, method }: Operation): string {
  return `paths[${printLiteral(path)}]['${method.toLowerCase()}']`
}

/** Returns the type of JSON content, or of the first media type; undefined where there is none. */
function printContent(
  description: Description,
  names: Names,
  content: readonly MediaType[],
  parent: string,
): string | undefined {
  const media = preferredContent(content)
  if (media === undefined) {
    return undefined
  }
  const type = `${parent}['content'][${printLiteral(media.name)}]`
  return printType(description, names, media.schema, type)
}

const reserved =
  /^(?:arguments|await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|eval|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield)$/

/** Returns a name as an identifier that is not taken, and takes it. */
function toIdentifier(name: string, taken: Set<string>): string {
  const joined = name.replaceAll(/[^\p{ID_Continue}$]+(.?)/gu, (_, next: string) =>
    next.toUpperCase(),
  )
  let result = /^\p{ID_Start}/u.test(joined) ? joined : `_${joined}`
  while (taken.has(result) || reserved.test(result)) {
    result += '_'
  }
  taken.add(result)
  return result
}

/** Returns the name of the type of each schema of the components, by the schema's own name. */
function nameSchemas(description: Description): Names {
  // The module uses these names itself.
  const taken = new Set(['Methods', 'NonNullable', 'Page', 'Promise', ...typeParameters])
  const capitalize = (key: string) => key.charAt(0).toUpperCase() + key.slice(1)
  const names = [...schemasOf(description).keys()].map(
    (key) => [key, toIdentifier(capitalize(key), taken)] as const,
  )
  return new Map(names)
}

/** Prints a type for each schema of the components. */
function printSchemaTypes(model: Description, names: Names): string {
  const { documents } = model
  const types = Array.from(schemasOf(model), ([key, schema]) => {
    const name = names.get(key) ?? key
    const type = `components['schemas'][${printLiteral(key)}]`
    const { description } = toObject(schema.value)
    const [line = '', ...more] = typeof description === 'string' ? toCommentLines(description) : []
    const oneLine = line === '' ? '' : `/** ${line} */\n`
    const comment = more.length === 0 ? oneLine : printLines([line, ...more], '')
    // An editor shows a mapped type by its name, and an alias by its content.
    const named = `{ [Key in keyof ${type}]: ${type}[Key] }`
    return `\n${comment}export type ${name} = ${isObjectType(schema, documents) ? named : type}\n`
  })
  return types.join('')
}

/** Returns the type of a schema, and of the items of a list, by name; else the type as given. */
function printType(
  model: Description,
  names: Names,
  schema: Located | undefined,
  type: string,
): string {
  if (schema === undefined) {
    return type
  }
  const { documents } = model
  const target = documents.target(schema)
  const { type: kind, prefixItems } = toObject(target.value)
  const isList = kind === 'array' && prefixItems === undefined
  const item = isList ? printType(model, names, childOf(target, 'items'), '') : ''
  if (item !== '') {
    return `${item}[]`
  }
  const next = documents.next(schema)
  const [components, kindOfComponent, key = '', ...deeper] = pointerKeys(next?.pointer ?? '')
  const isNamed =
    components === 'components' && kindOfComponent === 'schemas' && deeper.length === 0
  return isNamed ? (names.get(key) ?? type) : type
}

function schemasOf({ components }: Description): ReadonlyMap<string, Located> {
  return components.get('schemas') ?? new Map()
}

/** Returns whether a schema has the type of one object: no union, list or primitive. */
function isObjectType(schema: Located, documents: Documents): boolean {
  const parts = partsOf(schema, documents)
  const keywords = new Set(parts.flatMap(({ value }) => Object.keys(toObject(value))))
  const isOneOf = ['oneOf', 'anyOf', 'enum', 'const'].some((keyword) => keywords.has(keyword))
  if (isOneOf) {
    return false
  }

  const types = parts
    .map(({ value }) => toObject(value)['type'])
    .filter((type) => type !== undefined)
  const isUntyped = types.length === 0
  return isUntyped ? keywords.has('properties') : types.every((type) => type === 'object')
}
