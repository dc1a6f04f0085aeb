import { type HttpHandler, HttpResponse, http, type JsonBodyType } from 'msw'
import { calls } from '../generated/calls.ts'
import { examples } from '../generated/examples.ts'
import type { operations } from '../generated/openapi.d.ts'
import { checkName } from './options.ts'

type Examples = typeof examples
type OperationId = keyof Examples & keyof operations
type Responses<Id extends OperationId> = operations[Id]['responses']
type StatusOf<Id extends OperationId> = keyof Responses<Id> & keyof Examples[Id] & number
type BodyOf<Response> = Response extends { content: infer Content }
  ? Content[keyof Content]
  : undefined
type NamesOf<Documented> = Documented extends { bodies: infer Bodies } ? keyof Bodies : never

/** The response of an operation in a test. */
export type MockResponse<Id extends OperationId> = {
  [Status in StatusOf<Id>]: {
    readonly status: Status
    /** The name of an example of the contract; the first one by default. */
    readonly example?: NamesOf<Examples[Id][Status]>
    /** A body instead of the example. */
    readonly body?: BodyOf<Responses<Id>[Status]>
    /** Header fields, which are added to those of the contract's examples or replace them. */
    readonly headers?: Readonly<Record<string, string>>
  }
}[StatusOf<Id>]

/** The responses of a mock, by operationId. */
export type MockResponses = { readonly [Id in OperationId]?: MockResponse<Id> }

/** The examples of a response in the contract. */
interface Documented {
  readonly headers: Readonly<Record<string, string>>
  readonly bodies: Readonly<Record<string, JsonBodyType>>
}
interface Chosen {
  readonly status?: number
  readonly example?: string
  readonly body?: JsonBodyType
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Creates a request handler for MSW (https://mswjs.io) for every operation of the service at a base
 * URL. An operation responds with the first example of its success in the contract, unless
 * `responses` has another response for it; throws a `TypeError` where that is not of the contract.
 */
export function createMockHandlers(
  baseUrl: string,
  responses: MockResponses = {},
): readonly HttpHandler[] {
  const operationIds = Object.keys(calls)
  for (const name of Object.keys(responses)) checkName('The API', 'operation', name, operationIds)
  const chosen: Readonly<Record<string, Chosen | undefined>> = responses
  return Object.entries(calls).map(([operationId, { method, path }]) => {
    const own = chosen[operationId]
    const { status, headers, body } = chooseResponse(operationId as OperationId, own)
    const url = baseUrl.replace(/\/$/, '') + path.replaceAll(/\{([^{}]+)\}/g, ':$1')
    const init = { status, headers }
    return http[method](url, () =>
      body === undefined ? new HttpResponse(null, init) : HttpResponse.json(body, init),
    )
  })
}

function chooseResponse(operationId: OperationId, chosen: Chosen = {}) {
  const documented: Readonly<Record<number, Documented>> = examples[operationId]
  const options = ['status', 'example', 'body', 'headers']
  for (const name of Object.keys(chosen)) checkName(operationId, 'option', name, options)
  const statuses = Object.keys(documented)
  const success = statuses.find((status) => status.startsWith('2')) ?? '204'
  const { status = Number(success), example, headers, ...own } = chosen
  if (chosen.status !== undefined) checkName(operationId, 'status', String(status), statuses)
  const found = documented[status]
  const names = Object.keys(found?.bodies ?? {})
  if (example !== undefined) checkName(`${operationId} ${status}`, 'example', example, names)
  const body = 'body' in own ? own.body : found?.bodies[example ?? names[0] ?? '']
  return { status, headers: { ...found?.headers, ...headers }, body }
}
