import type { IncomingHttpHeaders } from 'node:http'
import { findResponse } from '../contract/contract.ts'
import { serviceHeaders } from '../contract/headers.ts'
import { decodeQuery, queryPairs } from '../contract/parameters.ts'
import { type JsonObject, toText } from '../description/json.ts'
import { isJsonType } from '../description/media-types.ts'
import { valueAt } from '../description/pointer.ts'
import { findNextTarget } from './link-header.ts'
import type { OperationResponse } from './own-request.ts'
import type { Tool } from './tools.ts'

/** The result of a tool in the Model Context Protocol. */
export interface ToolResult {
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent?: { readonly [name: string]: unknown }
  readonly isError?: boolean
}

/** Headers that an agent needs when its call was rejected, whether they are declared or not. */
const headersOfErrors: readonly string[] = ['retry-after', 'x-request-id', 'www-authenticate']

/** Headers of every response that say nothing about this one. */
const headersOfService: ReadonlySet<string> = new Set(
  serviceHeaders.map((name) => name.toLowerCase()),
)

/**
 * Returns the response to an operation as the result of a tool: its status, its declared headers, its body, and the
 * arguments of the next page if there is one. An error has its whole body, by which an agent corrects its call.
 */
export function toToolResult(
  tool: Tool,
  toolArguments: JsonObject,
  response: OperationResponse,
): ToolResult {
  const { status } = response
  const isError = status >= 400
  const body = readBody(response)
  const headers = selectHeaders(tool, response, isError)
  const next = isError ? undefined : nextArguments(tool, toolArguments, response.headers, body)
  const structured = {
    status,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body !== undefined && { body }),
    ...(next !== undefined && { next }),
  }
  return { ...toResult(structured), ...(isError && { isError }) }
}

/** Returns the result of a call that no request could be made from. */
export function toErrorResult(message: string): ToolResult {
  return { ...toResult({ message }), isError: true }
}

function toResult(structuredContent: JsonObject): ToolResult {
  const text = JSON.stringify(structuredContent)
  return { content: [{ type: 'text', text }], structuredContent }
}

function readBody({ headers, text }: OperationResponse): unknown {
  const mediaType = headers['content-type'] ?? ''
  if (text === undefined) {
    return `(content of ${mediaType}, which agents do not read)`
  }
  if (text === '') {
    return undefined
  }
  return isJsonType(mediaType) ? JSON.parse(text) : text
}

/** Returns the headers that the response of an operation declares, but those of every response. */
function selectHeaders(
  { described }: Tool,
  { status, headers }: OperationResponse,
  isError: boolean,
): Readonly<Record<string, unknown>> {
  const declared = findResponse(described.responses, status)?.headers ?? []
  const declaredNames = declared.map(({ name }) => name.toLowerCase())
  const shownNames = declaredNames.filter((name) => !headersOfService.has(name))
  const names = new Set(isError ? [...shownNames, ...headersOfErrors] : shownNames)
  const fields = Object.entries(headers).filter(([name]) => names.has(name))
  return Object.fromEntries(fields)
}

/** Returns the arguments of the call for the next page, if the response links to one. */
function nextArguments(
  { described, operation, parameters }: Tool,
  toolArguments: JsonObject,
  headers: IncomingHttpHeaders,
  body: unknown,
): JsonObject | undefined {
  const { style, nextLink = '' } = described.pagination ?? {}
  const inBody = style === 'body-link' ? toText(valueAt(body, `#${nextLink}`)) : undefined
  const target = inBody ?? findNextTarget(toText(headers['link']) ?? '')
  const [, rawQuery] = target?.split(/[?#]/) ?? []
  if (rawQuery === undefined) {
    return undefined
  }

  const texts = new Map(queryPairs(rawQuery).map(({ name, text }) => [name, decodeQuery(text)]))
  const changed = Array.from(parameters, ([argument, { name, location }]) => {
    const text = location === 'query' ? texts.get(name) : undefined
    const row = operation.parameters.query[name]
    // Only the page differs: a list or an object is that of this call.
    const isSame = text === undefined || row?.type === 'array' || row?.type === 'object'
    return isSame ? [] : [[argument, toValue(text, row?.type)] as const]
  })
  return { ...toolArguments, ...Object.fromEntries(changed.flat()) }
}

function toValue(text: string, type: unknown): unknown {
  const isNumber = type === 'integer' || type === 'number'
  if (type === 'boolean') {
    return text === 'true'
  }
  return isNumber ? Number(text) : text
}
