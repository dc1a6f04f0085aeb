import { type Contract, describedOperation } from '../contract/contract.ts'
import type { Operation } from '../contract/operation.ts'
import { kindOf } from '../description/content-kind.ts'
import type {
  Operation as DescribedOperation,
  Description,
  Parameter,
} from '../description/description.ts'
import { safeMethods } from '../description/http-names.ts'
import { isObject, type JsonObject, toText } from '../description/json.ts'
import { isJsonType, isRange, jsonTypesOf } from '../description/media-types.ts'
import { valueSchemaOf } from '../description/parameter-form.ts'
import { credentialNames } from '../description/security.ts'
import { deprecationNotice } from '../docs/text/deprecation-notice.ts'
import { joinBlocks, joinWords } from '../docs/text/markdown.ts'
import { successTypes } from '../http/accept-header.ts'
import { ToolSchemaWriter } from './tool-schema.ts'
import { toName, UniqueNames } from './unique-names.ts'

/** The argument of a tool that is the body of the request. */
export const bodyArgument = 'body'

/** An operation that agents call. */
export interface Tool {
  /** The operationId, or a name that is like it. */
  readonly name: string
  readonly operation: Operation
  readonly described: DescribedOperation
  /** The parameters by the names of their arguments. */
  readonly parameters: ReadonlyMap<string, Parameter>
  /** The media type of the body; undefined if the operation has none. */
  readonly bodyType: string | undefined
  /** The media types that agents read, as in `Accept`. */
  readonly accept: string
  /** The tool as agents see it. */
  readonly definition: ToolDefinition
}

/** A tool as the Model Context Protocol lists it. */
export interface ToolDefinition {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema: {
    readonly type: 'object'
    readonly properties: Record<string, JsonObject>
    readonly required: string[]
    readonly additionalProperties: false
    readonly $defs?: Record<string, unknown>
  }
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint?: boolean
    readonly idempotentHint: boolean
  }
}

/** The methods that may be repeated (RFC 9110, section 9.2.2). */
const idempotentMethods: ReadonlySet<string> = new Set([...safeMethods, 'PUT', 'DELETE'])

/** The methods that replace or delete what is there. What a POST does, its method does not say. */
const destructiveMethods: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE'])

/**
 * Returns the tools of a contract: the operations that are served, whose request body may be JSON or a text, if they
 * have one, and whose success is JSON, a text or without content.
 */
export function createTools({ description, operations }: Contract): readonly Tool[] {
  const callable = Object.values(operations).filter((operation) => {
    return operation.unserved === undefined && isCallable(operation, description)
  })
  const unique = new UniqueNames('operation')
  const nameOf = new Map(callable.map(({ operationId }) => [operationId, unique.add(operationId)]))
  const credentials = credentialParameters(description)

  return callable.map((operation): Tool => {
    const { operationId, requestBody } = operation
    const described = describedOperation(description, operation)
    const name = nameOf.get(operationId) ?? operationId
    const bodyType = writtenType(requestBody?.mediaTypes ?? [])
    const withoutCredentials = described.parameters.filter(
      (parameter) => !credentials.has(toKey(parameter)),
    )
    const parameters = nameArguments(withoutCredentials, bodyType !== undefined)
    const [accept = '*/*'] = successTypes(description, operation)
    const tool = { name, operation, described, parameters, bodyType, accept }
    return { ...tool, definition: define(tool, description, nameOf) }
  })
}

/** Returns whether an agent can write the body of an operation, and read that of its successes. */
function isCallable(operation: Operation, description: Description): boolean {
  const { requestBody } = operation
  const isWritable = requestBody === undefined || writtenType(requestBody.mediaTypes) !== undefined
  const [read] = successTypes(description, operation)
  return isWritable && (read === undefined || isReadable(read))
}

/** Returns that of some media types in which an agent writes a body: one of JSON, or else of a text. */
function writtenType(mediaTypes: readonly string[]): string | undefined {
  const [ofJson] = jsonTypesOf(mediaTypes)
  return ofJson ?? mediaTypes.find((type) => kindOf(type) === 'text' && !isRange(type))
}

/** Returns whether an agent reads content of a media type. */
export function isReadable(mediaType: string): boolean {
  const kind = kindOf(mediaType)
  return kind === 'json' || kind === 'text'
}

/** Returns the parameters that hold credentials: those of the message are sent, and no agent has to know them. */
function credentialParameters({ securitySchemes }: Description): ReadonlySet<string> {
  const locations = ['header', 'query', 'cookie'] as const
  const keys = locations.flatMap((location) => {
    const names = credentialNames(securitySchemes, location)
    return Array.from(names, (name) => toKey({ location, name }))
  })
  return new Set(keys)
}

function toKey({ location, name }: Pick<Parameter, 'location' | 'name'>): string {
  return `${location} ${location === 'header' ? name.toLowerCase() : name}`
}

/**
 * Returns parameters by the names of their arguments: their own, or with the location in front where two have one name,
 * or one has that of the body.
 */
function nameArguments(
  parameters: readonly Parameter[],
  hasBody: boolean,
): ReadonlyMap<string, Parameter> {
  const byName = Map.groupBy(parameters, ({ name }) => toName(name))
  const unique = new UniqueNames('parameter')
  if (hasBody) {
    unique.add(bodyArgument)
  }
  const named = parameters.map((parameter) => {
    const { name, location } = parameter
    const isShared = (byName.get(toName(name))?.length ?? 0) > 1
    const isOfBody = hasBody && toName(name) === bodyArgument
    const argumentName = isShared || isOfBody ? `${location}_${name}` : name
    return [unique.add(argumentName), parameter] as const
  })
  return new Map(named)
}

/** Returns a tool as agents see it. */
function define(
  { name, operation, described, parameters, bodyType }: Omit<Tool, 'definition'>,
  { documents }: Description,
  nameOf: ReadonlyMap<string, string>,
): ToolDefinition {
  const writer = new ToolSchemaWriter(documents)
  const input = Array.from(parameters, ([argument, parameter]) => {
    const text = toText(parameter.texts['description'])
    const description = joinWords(noticeOf(parameter, nameOf), text)
    const schema = withDescription(writer.write(valueSchemaOf(parameter)?.value), description)
    return { argument, schema, isRequired: parameter.isRequired }
  })
  const { body } = described
  if (bodyType !== undefined && body !== undefined) {
    const media = body.content.find(({ name }) => writtenType([name]) === bodyType)
    const text = toText(body.texts['description'])
    const schema = withDescription(writer.write(media?.schema?.value), text)
    // A text needs no schema to be one.
    const typed = isJsonType(bodyType) ? schema : { type: 'string', ...schema }
    input.push({ argument: bodyArgument, schema: typed, isRequired: body.isRequired })
  }
  const properties = input.map(({ argument, schema }) => [argument, schema] as const)
  const required = input.filter(({ isRequired }) => isRequired)
  const { definitions } = writer

  const title = toText(described.texts['summary'])
  const method = operation.method.toUpperCase()
  const isReadOnly = safeMethods.has(method)
  const isDestructive = destructiveMethods.has(method)
  return {
    name,
    ...(title !== undefined && { title }),
    description: joinBlocks(
      described.name,
      title,
      noticeOf(described, nameOf),
      toText(described.texts['description']),
    ),
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: required.map(({ argument }) => argument),
      additionalProperties: false,
      ...(definitions.size > 0 && { $defs: Object.fromEntries(definitions) }),
    },
    annotations: {
      readOnlyHint: isReadOnly,
      ...(isReadOnly || isDestructive ? { destructiveHint: isDestructive } : {}),
      idempotentHint: idempotentMethods.has(method),
    },
  }
}

/** Returns a deprecation, with the tool that replaces it. */
function noticeOf(
  { deprecation }: Pick<Parameter, 'deprecation'>,
  nameOf: ReadonlyMap<string, string>,
): string {
  const { operationId, ...otherFields } = deprecation.replacement
  const tool = nameOf.get(String(operationId))
  const replacement = tool === undefined ? otherFields : { description: `the tool ${tool}` }
  return deprecationNotice({ ...deprecation, replacement }, () => '')
}

/** Returns the keywords of a schema, which may be true or false. */
function keywordsOf(schema: unknown): JsonObject {
  if (isObject(schema)) {
    return schema
  }
  return schema === false ? { not: {} } : {}
}

/** Returns a schema with a description in place of its own, if there is one. */
function withDescription(schema: unknown, description: string | undefined): JsonObject {
  const keywords = keywordsOf(schema)
  return description === undefined || description === '' ? keywords : { ...keywords, description }
}
