import { type JsonObject, toList, toObject } from '../../server/description/json.ts'
import { pointerKeys, valueAt } from '../../server/description/pointer.ts'
import { dereference } from './description.ts'
import { printLiteral } from './literal.ts'
import { type OperationEntry, operationsOf, parametersOf } from './operation-entries.ts'

/**
 * Prints the module that a client imports: how it calls each operation, without what it does not need
 * because applications ship it, the types of its methods, and those of the schemas by name.
 */
export function printCalls(root: JsonObject): string {
  const entries = operationsOf(root)
  const table = entries.map((entry) => [entry.name, readCall(root, entry)] as const)
  const names = nameSchemas(root)
  const types = `${printMethods(root, names, entries)}${printSchemaTypes(root, names)}`
  const used = ['components', 'paths'].filter((name) => types.includes(`${name}[`))
  const imports = `import type { ${used.join(', ')} } from './openapi.d.ts'\n\n`
  return `${used.length > 0 ? imports : ''}/** How each operation is called, by operationId. */
export const calls = ${printLiteral(Object.fromEntries(table))} as const

${types}`
}

function readCall(root: JsonObject, entry: OperationEntry) {
  const { path, method, operation } = entry
  const parameters = parametersOf(root, entry)
  const isIdempotent = parameters.some(
    ({ in: where, name }) => where === 'header' && /^idempotency-key$/i.test(String(name)),
  )
  const { 'x-paginated-by': cursor, deprecated } = operation
  const replacement = deprecated === true ? readReplacement(operation) : undefined
  return {
    method,
    path,
    ...(parameters.some((parameter) => parameter['in'] === 'query') && { query: true }),
    ...readBody(root, operation),
    ...(isIdempotent && { idempotent: true }),
    ...(typeof cursor === 'string' && { cursor }),
    ...(replacement !== undefined && { replacement }),
    ...readEmpty(root, operation),
  }
}

/** Returns whether there is a body, or its media type where that is not `application/json`. */
function readBody(root: JsonObject, { requestBody }: JsonObject) {
  if (requestBody === undefined) return {}
  const [mediaType = json] = findContent(dereference(root, requestBody)['content'])
  return { body: mediaType === json ? true : mediaType }
}

/** Returns the statuses of success, other than 204, whose responses have no content. */
function readEmpty(root: JsonObject, { responses }: JsonObject) {
  const empty = Object.entries(toObject(responses))
    .filter(([, response]) => dereference(root, response)['content'] === undefined)
    .map(([status]) => Number(status))
    .filter((status) => status >= 200 && status < 300 && status !== 204)
  return empty.length === 0 ? {} : { empty }
}

const json = 'application/json'

/** Returns JSON content with its media type, or the first content; nothing if there is none. */
function findContent(content: unknown): readonly [mediaType: string, media: unknown] | [] {
  const all = Object.entries(toObject(content))
  const isPlain = ([type]: readonly [string, unknown]) => type === json
  return all.find(isPlain) ?? all.find(([type]) => /\bjson\b/.test(type)) ?? all[0] ?? []
}

function readReplacement(operation: JsonObject): string | undefined {
  const { operationId, description = operationId } = toObject(operation['x-replaced-by'])
  return typeof description === 'string' ? description : undefined
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

function printMethods(root: JsonObject, names: Names, entries: readonly OperationEntry[]): string {
  const methods = entries.map((entry) => {
    const values = listArguments(root, names, entry)
    const result = printResult(root, names, entry)
    const list = values.map(({ name, type, isRequired }, index) => {
      // A required parameter cannot follow an optional one.
      const isOptional = values.slice(index).every((later) => !later.isRequired)
      const missing = isRequired || isOptional ? '' : ' | undefined'
      return `    ${name}${isOptional ? '?' : ''}: ${type}${missing},\n`
    })
    const comment = printComment(entry.operation, values)
    const name = /^[A-Za-z_$][\w$]*$/.test(entry.name) ? entry.name : printLiteral(entry.name)
    return `${comment}  ${name}(\n${list.join('')}  ): ${result}\n`
  })
  const body = methods.join('')
  // With an underscore in front, the compiler allows that a type parameter is unused.
  const parameters = typeParameters.map((name) => {
    return new RegExp(`[:&] ${name}\\b`).test(body) ? name : `_${name}`
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
function printComment(operation: JsonObject, values: readonly Argument[]): string {
  const { summary, description, deprecated, 'x-sunset': sunset } = operation
  const replacement = readReplacement(operation)
  const until = sunset === undefined ? '' : ` It will be removed on ${sunset}.`
  const instead = replacement === undefined ? '' : ` Use ${replacement} instead.`
  const texts = [summary, description].filter((text) => typeof text === 'string')
  const tags = values
    .filter((value) => typeof value.description === 'string')
    .map((value) => `@param ${value.name} ${value.description}`)
  if (deprecated === true) tags.push(`@deprecated${until}${instead}`)
  const paragraphs = [...texts.map((text) => [text]), tags].filter((lines) => lines.length > 0)
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

function listArguments(root: JsonObject, names: Names, entry: OperationEntry): readonly Argument[] {
  const type = `${typeOf(entry)}['parameters']`
  const parameters = parametersOf(root, entry)
  const inLocation = (where: string) => parameters.filter((parameter) => parameter['in'] === where)
  const query = inLocation('query')
  const headers = inLocation('header')
  const isAnyRequired = (some: readonly JsonObject[]) =>
    some.some(({ required }) => required === true)
  const taken = new Set(['body', 'query', 'options'])
  const inPath = Array.from(entry.path.matchAll(/\{([^{}]+)\}/g), ([, name = '']) => {
    const declared = inLocation('path').findLast((parameter) => parameter['name'] === name)
    return {
      name: toIdentifier(name, taken),
      type: declared === undefined ? 'string' : `${type}['path'][${printLiteral(name)}]`,
      isRequired: true,
      description: declared?.['description'],
    }
  })
  const isRequired = isAnyRequired(headers)
  const options = entry.operation['x-paginated-by'] === undefined ? 'CallOptions' : 'ListOptions'
  const own = `{ readonly headers${isRequired ? '' : '?'}: ${type}['header'] }`
  return [
    ...inPath,
    ...listBody(root, names, entry),
    ...(query.length > 0
      ? [{ name: 'query', type: `${type}['query']`, isRequired: isAnyRequired(query) }]
      : []),
    { name: 'options', type: headers.length > 0 ? `${options} & ${own}` : options, isRequired },
  ]
}

function listBody(root: JsonObject, names: Names, entry: OperationEntry): readonly Argument[] {
  const { requestBody } = entry.operation
  if (requestBody === undefined) return []
  const { required, description, content } = dereference(root, requestBody)
  const type = printContent(root, names, content, `NonNullable<${typeOf(entry)}['requestBody']>`)
  return [{ name: 'body', type: type ?? 'unknown', isRequired: required === true, description }]
}

function printResult(root: JsonObject, names: Names, entry: OperationEntry): string {
  const responses = Object.entries(toObject(entry.operation['responses'])).map(([key, value]) => {
    const status = /^\d+$/.test(key) ? key : printLiteral(key)
    const { content } = dereference(root, value)
    const type = printContent(root, names, content, `${typeOf(entry)}['responses'][${status}]`)
    return { key, type: type ?? 'undefined' }
  })
  const success = responses.filter(({ key }) => key.startsWith('2')).map(({ type }) => type)
  const data = [...new Set(success)].join(' | ') || 'unknown'
  if (entry.operation['x-paginated-by'] === undefined) return `Promise<${data}> & CallResult`
  const query = `NonNullable<${typeOf(entry)}['parameters']['query']>`
  // The name is what an editor shows.
  const [item] = /^[^|]+(?=\[\]$)/.exec(data) ?? []
  const page =
    item === undefined
      ? `${data} & { readonly next: ${query} | undefined }`
      : `Page<${item}, ${query}>`
  return `Promise<${page}> & ListResult`
}

function typeOf({ path, method }: OperationEntry): string {
  return `paths[${printLiteral(path)}]['${method}']`
}

/** Returns the type of JSON content, or of the first media type; undefined where there is none. */
function printContent(root: JsonObject, names: Names, content: unknown, parent: string) {
  const [mediaType, media] = findContent(content)
  if (mediaType === undefined) return undefined
  const type = `${parent}['content'][${printLiteral(mediaType)}]`
  return printType(root, names, toObject(media)['schema'], type)
}

const reserved =
  /^(?:arguments|await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|eval|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield)$/

/** Returns a name as an identifier that is not taken, and takes it. */
function toIdentifier(name: string, taken: Set<string>): string {
  const joined = name.replaceAll(/[^\p{ID_Continue}$]+(.?)/gu, (_, next: string) =>
    next.toUpperCase(),
  )
  let result = /^\p{ID_Start}/u.test(joined) ? joined : `_${joined}`
  while (taken.has(result) || reserved.test(result)) result += '_'
  taken.add(result)
  return result
}

/** Returns the name of the type of each schema of the components, by the schema's own name. */
function nameSchemas(root: JsonObject): Names {
  // The module uses these names itself.
  const taken = new Set(['Methods', 'NonNullable', 'Page', 'Promise', ...typeParameters])
  const capitalize = (key: string) => key.charAt(0).toUpperCase() + key.slice(1)
  const names = Object.keys(schemasOf(root)).map(
    (key) => [key, toIdentifier(capitalize(key), taken)] as const,
  )
  return new Map(names)
}

/** Prints a type for each schema of the components. */
function printSchemaTypes(root: JsonObject, names: Names): string {
  const types = [...names].map(([key, name]) => {
    const schema = schemasOf(root)[key]
    const type = `components['schemas'][${printLiteral(key)}]`
    const { description } = toObject(schema)
    const [line = '', ...more] = typeof description === 'string' ? toCommentLines(description) : []
    const oneLine = line === '' ? '' : `/** ${line} */\n`
    const comment = more.length === 0 ? oneLine : printLines([line, ...more], '')
    // An editor shows a mapped type by its name, and an alias by its content.
    const named = `{ [Key in keyof ${type}]: ${type}[Key] }`
    return `\n${comment}export type ${name} = ${isObjectType(root, schema) ? named : type}\n`
  })
  return types.join('')
}

/** Returns the type of a schema, and of the items of a list, by name; else the type as given. */
function printType(root: JsonObject, names: Names, schema: unknown, type: string): string {
  const { $ref } = toObject(schema)
  const target = typeof $ref === 'string' ? valueAt(root, $ref) : schema
  const { type: kind, items, prefixItems, nullable } = toObject(target)
  const isList = kind === 'array' && prefixItems === undefined && nullable !== true
  const item = isList ? printType(root, names, items, '') : ''
  if (item !== '') return `${item}[]`
  const [components, schemas, key = '', ...deeper] = pointerKeys(
    typeof $ref === 'string' ? $ref : '',
  )
  const isNamed = components === 'components' && schemas === 'schemas' && deeper.length === 0
  return isNamed ? (names.get(key) ?? type) : type
}

function schemasOf(root: JsonObject): JsonObject {
  return toObject(toObject(root['components'])['schemas'])
}

/** Returns whether a schema has the type of one object: no union, list or primitive. */
function isObjectType(root: JsonObject, schema: unknown, depth = 0): boolean {
  const { type, properties, allOf, oneOf, anyOf, nullable, ...more } = dereference(root, schema)
  if (oneOf !== undefined || anyOf !== undefined || nullable === true || depth > 9) return false
  if ('enum' in more || 'const' in more) return false
  const parts = toList(allOf)
  if (!parts.every((part) => isObjectType(root, part, depth + 1))) return false
  return type === 'object' || (type === undefined && (properties !== undefined || parts.length > 0))
}
