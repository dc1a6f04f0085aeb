import { HttpHandler, HttpResponse, type JsonBodyType } from 'msw'
import type { Operation } from './operation.ts'
import { checkName } from './options.ts'
import { isRecord } from './record.ts'
import type { ItemContent } from './response-content.ts'

/** The examples of a response in the contract, as `generated/examples.ts` has them. */
interface ResponseExamples {
  readonly headers: Readonly<Record<string, string>>
  readonly bodies: Readonly<Record<string, JsonBodyType>>
}

/** The examples of an operation, by status. */
type OperationExamples = Readonly<Record<number, ResponseExamples>>

type NamesOf<Examples> = Examples extends { bodies: infer Bodies } ? keyof Bodies : never
type BodyOf<Response> = Response extends { content: infer Content }
  ? MockContent<Content[keyof Content]>
  : undefined

/** Content as a test gives it: bytes in memory, and the items of a stream as a list. */
type MockContent<Content> = Content extends Blob
  ? Blob | Uint8Array
  : Content extends AsyncIterable<infer Item>
    ? readonly Item[]
    : Content

/** The response of an operation in a test: one type for each status that has examples. */
export type MockResponseOf<Examples, Responses> = {
  [Status in keyof Examples & keyof Responses & number]: {
    readonly status: Status
    /** The name of an example of the contract; the first one by default. */
    readonly example?: NamesOf<Examples[Status]>
    /** A body instead of the example. */
    readonly body?: BodyOf<Responses[Status]>
    /** Header fields, which are added to those of the contract's examples or replace them. */
    readonly headers?: Readonly<Record<string, string>>
  }
}[keyof Examples & keyof Responses & number]

/** The response of an operation in a test, of any API. */
interface ChosenResponse {
  readonly status?: number
  readonly example?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** The part of an API that mock handlers need. */
export interface MockedApi {
  /** How each operation is called, by operationId. */
  readonly operations: Readonly<Record<string, Operation>>
  /** The examples of each operation, by operationId. */
  readonly examples: Readonly<Record<string, OperationExamples>>
}

/**
 * Creates a request handler for MSW (https://mswjs.io) for every operation of an API at a base URL;
 * throws a `TypeError` where a chosen response is not of the contract.
 */
export function createApiMockHandlers(
  api: MockedApi,
  baseUrl: string,
  responses: Readonly<Record<string, ChosenResponse | undefined>>,
): readonly HttpHandler[] {
  const operationIds = Object.keys(api.operations)
  for (const name of Object.keys(responses)) {
    checkName('The API', 'operation', name, operationIds)
  }

  const base = baseUrl.replace(/\/$/, '')
  return Object.entries(api.operations).flatMap(([operationId, operation]) => {
    const { method, path } = operation
    const documented = api.examples[operationId] ?? {}
    const response = chooseResponse(operationId, documented, responses[operationId])
    const url = base + toMatchedPath(path)
    // `fetch` cannot send TRACE.
    const isSent = method !== 'trace'
    const respond = () => createResponse(response, operation)
    return isSent ? [new HttpHandler(method.toUpperCase(), url, respond)] : []
  })
}

/** Returns a path template as MSW matches it, in which the name of a parameter has letters and digits alone. */
function toMatchedPath(template: string): string {
  const parts = template.split(/\{[^{}]+\}/)
  return parts.map((text, index) => (index === 0 ? text : `:p${index}${text}`)).join('')
}

/** Returns the response of an operation: the first example of its success unless another is chosen. */
function chooseResponse(
  operationId: string,
  documented: OperationExamples,
  chosen: ChosenResponse = {},
) {
  const options = ['status', 'example', 'body', 'headers']
  for (const name of Object.keys(chosen)) {
    checkName(operationId, 'option', name, options)
  }

  const statuses = Object.keys(documented)
  const success = statuses.find((status) => status.startsWith('2')) ?? '204'
  if (chosen.status !== undefined) {
    checkName(operationId, 'status', String(chosen.status), statuses)
  }
  const status = chosen.status ?? Number(success)

  const { headers = {}, bodies = {} } = documented[status] ?? {}
  const names = Object.keys(bodies)
  if (chosen.example !== undefined) {
    checkName(`${operationId} ${status}`, 'example', chosen.example, names)
  }
  const example = chosen.example ?? names[0] ?? ''
  // A body may be chosen that is undefined.
  const body = 'body' in chosen ? chosen.body : bodies[example]
  return { status, headers: { ...headers, ...chosen.headers }, body }
}

function createResponse(
  { body, ...init }: ReturnType<typeof chooseResponse>,
  { responses }: Operation,
): Response {
  if (body === undefined) {
    return new HttpResponse(null, init)
  }

  const { headers } = init
  const types = new Headers(headers).get('content-type') ?? ''
  const items = responses?.items
  if (items && types.startsWith(items.type) && Array.isArray(body)) {
    return new HttpResponse(body.map((item) => printItem(item, items)).join(''), init)
  }
  const isText = typeof body === 'string' && types !== '' && !/[/+]json/.test(types)
  if (isText || body instanceof Blob || ArrayBuffer.isView(body)) {
    // The types of bytes that are sent exclude memory that threads share.
    return new HttpResponse(body as BodyInit, init)
  }
  // The contract has its type, which may be that of any JSON value.
  return HttpResponse.json(body as JsonBodyType, init)
}

/** Writes an item of a stream: an event, or a line. */
function printItem(item: unknown, { type, whole, json, text, sequence }: ItemContent): string {
  if (type !== 'text/event-stream') {
    return `${sequence ? '\u001e' : ''}${JSON.stringify(item)}\n`
  }

  const fields = whole && isRecord(item) ? item : { data: item }
  const lines = Object.entries(fields).flatMap(([name, value]) => {
    const isText = name !== 'data' || (typeof value === 'string' && (text || !json))
    const printed = isText ? String(value) : JSON.stringify(value)
    return printed.split(/\r\n|\r|\n/).map((line) => `${name}: ${line}\n`)
  })
  return `${lines.join('')}\n`
}
