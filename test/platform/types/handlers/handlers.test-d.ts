import type { operations } from '../generated/openapi.d.ts'
import { errorResponse } from '../server/contract/errors.ts'
import type {
  BodyInput,
  CallContext,
  Handler,
  HandlerResponse,
  Handlers,
  Input,
  OperationId,
  Schema,
} from '../server/contract/handler.ts'
import type { Equal, Expect } from './equal.ts'

// `handlers.process.test.ts` compiles this in the fixture project, whose operations have these names. Each
// mistake is an error at the line of the handler: `@ts-expect-error` holds for the next line only.

// The table of handlers.
declare const handlers: Handlers
const { getTool } = handlers
// @ts-expect-error a handler of one operation does not fit another
export const mixedUp: Handlers = { ...handlers, createTool: getTool }
// @ts-expect-error the table is read-only
handlers.getTool = getTool

// What a handler gets.
type List = Input<'listTools'>
type Create = Input<'createTool'>

// A parameter with a default is always present, other optional ones may be undefined.
export type Limit = Expect<Equal<List['query']['limit'], number>>
export type Cursor = Expect<Equal<List['query']['cursor'], string | undefined>>
export type IdempotencyKey = Expect<Equal<Create['headers']['Idempotency-Key'], string | undefined>>
export type NoPath = Expect<Equal<keyof List['path'], never>>

// Of several bodies, the media type says which one was sent.
interface TwoBodies {
  content: { 'application/json': { a: string }; 'application/merge-patch+json': { b: number } }
}
declare const two: BodyInput<TwoBodies | undefined>
export const narrowed: number | undefined =
  two.mediaType === 'application/merge-patch+json' ? two.body.b : undefined
// @ts-expect-error the other body has no b
export const wide: number = two.body.b
export type OneType = Expect<Equal<Create['mediaType'], 'application/json'>>

export type NoBody = Expect<Equal<Input<'getTool'>['body'], never>>
export type CallerId = Expect<Equal<CallContext<'getTool'>['callerId'], string | undefined>>

declare const list: List
declare const create: Create
declare const context: CallContext<'listTools'>

// @ts-expect-error listTools has no parameter colour
list.query.colour
// @ts-expect-error the id is assigned by the service
create.body.id
// @ts-expect-error the input is read-only
list.query = { limit: 1 }
// @ts-expect-error a handler does not get the request
list.request
// @ts-expect-error a handler does not get the response
context.response

export const href: string = context.hrefWith({ limit: 1, kind: undefined, cursor: 'a' })
// @ts-expect-error listTools has no parameter colour
context.hrefWith({ limit: 1, colour: 'brown' })

// What a handler returns.
type Declared = { [Id in OperationId]: keyof operations[Id]['responses'] }
type Returned = { [Id in OperationId]: HandlerResponse<Id>['status'] }
export type Statuses = Expect<Equal<Returned, Declared>>

type Created = Extract<HandlerResponse<'createTool'>, { readonly status: 201 }>
declare const saw: Schema<'Saw'>
declare const manual: Schema<'Manual'>

export const last: Handler<'listTools'> = () => ({
  status: 200,
  body: [],
  headers: { Link: undefined },
})
// @ts-expect-error a response has a status
export const vague: Handler<'getTool'> = async () => ({ body: saw })
// @ts-expect-error a tool has a kind
export const loose: Handler<'getTool'> = async () => ({
  status: 200,
  body: { id: 1, name: 'Ryoba' },
})
// @ts-expect-error 200 has a body
export const without: Handler<'getTool'> = async () => ({ status: 200 })
export const coloured: HandlerResponse<'getManual'> = {
  status: 200,
  // @ts-expect-error the contract has no field colour
  body: { ...manual, colour: 'brown' },
}
// @ts-expect-error the body of 404 is an Error object
export const notAnError: Handler<'getTool'> = async () => ({ status: 404, body: saw })
// @ts-expect-error rate_limited goes with 429
export const limited: Handler<'getTool'> = async () => errorResponse(404, 'rate_limited', 'Wait.')
// @ts-expect-error there is no such code
errorResponse(404, 'tool_not_found', 'There is none.')
// @ts-expect-error the status of the Error object is the HTTP status
export const torn: HandlerResponse<'getTool'> = {
  ...errorResponse(404, 'not_found', 'None.'),
  status: 400,
}
// @ts-expect-error this header is true or absent
export const no: Created = { status: 201, body: saw, headers: { 'Idempotent-Replayed': false } }
