import type { operations } from '../generated/openapi.d.ts'
import type { Handler, Handlers, Input, OperationId, Schema } from '../server/contract/handler.ts'
import type { BodyInput } from '../server/contract/handler-input.ts'
import type { HandlerResponses } from '../server/contract/handler-response.ts'
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
type CallContext<Id extends OperationId> = Parameters<Handler<Id>>[1]
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

// What a handler returns. The service alone responds with 401, 406, 413, 415, 429, 500 and 503.
export type OfGet = Expect<Equal<keyof HandlerResponses<operations, 'getTool'>, 200 | 400 | 404>>
export type OfCreate = Expect<
  Equal<keyof HandlerResponses<operations, 'createTool'>, 201 | 400 | 409 | 422>
>

declare const saw: Schema<'Saw'>
declare const manual: Schema<'Manual'>
const labelled = { ...manual, colour: 'brown' }
const sawWithPrice = { ...saw, price: 5 }
const { respond, respondError } = {} as CallContext<'getTool'>
const { respond: respondManual } = {} as CallContext<'getManual'>
const { respond: respondList, respondError: rejectList } = {} as CallContext<'listTools'>
const { respond: respondCreated, respondError: rejectCreate } = {} as CallContext<'createTool'>
const { respond: respondDeleted } = {} as CallContext<'deleteTool'>
const { respond: respondHours } = {} as CallContext<'getOpeningHours'>

export const last: Handler<'listTools'> = () => respondList(200, [], { Link: undefined })
export const replayed = respondCreated(201, saw, { 'Idempotent-Replayed': true })
export const deleted = respondDeleted(204)
export const hours = respondHours(200, { mon: '9-17', sat: null })
export const missing = respondError(404, 'not_found', 'There is none.')

// @ts-expect-error a response is created by respond
export const literal: Handler<'getManual'> = async () => ({ status: 200, body: manual })
// @ts-expect-error a response of another operation
export const mixed: Handler<'getTool'> = async () => respondManual(200, manual)
// @ts-expect-error a tool has a kind
respond(200, { id: 1, name: 'Ryoba' })
// @ts-expect-error 200 has a body
respond(200)
// @ts-expect-error 204 has no body
respondDeleted(204, saw)
// @ts-expect-error the contract has no status 418
respond(418, saw)
// @ts-expect-error the service alone responds with 500
respond(500, { code: 'internal_error', message: 'Broken.', status: 500 })
// @ts-expect-error the service alone responds with 429
respondError(429, 'rate_limited', 'Wait.')

// A field that the contract does not have.
// @ts-expect-error in a literal
respondManual(200, { text: 'Do not drop it.', colour: 'brown' })
// @ts-expect-error in a literal with a spread
respondManual(200, { ...manual, colour: 'brown' })
// @ts-expect-error in a variable
respondManual(200, labelled)
// @ts-expect-error in a copy of a variable
respondManual(200, { ...labelled, text: 'Do not drop it.' })
// @ts-expect-error in an item of a list
respondList(200, [sawWithPrice], { 'X-Total': 1 })

// @ts-expect-error listTools has no header ETag
respondList(200, [], { ETag: 'a' })
// @ts-expect-error this header is true or absent
respondCreated(201, saw, { 'Idempotent-Replayed': false })
// @ts-expect-error the service adds this header
respondList(200, [], { 'X-Request-Id': 'a' })
// @ts-expect-error 409 has the header Retry-After
rejectCreate(409, 'idempotency_in_progress', 'Wait.')
// @ts-expect-error the body of 404 is an Error object
respond(404, saw)
// @ts-expect-error rate_limited goes with 429
respondError(404, 'rate_limited', 'Wait.')
// @ts-expect-error there is no such code
respondError(404, 'tool_not_found', 'There is none.')
// @ts-expect-error listTools has no 404
rejectList(404, 'not_found', 'There is none.')
// @ts-expect-error the status of the Error object is the HTTP status
respond(404, { code: 'not_found', message: 'None.', status: 400 })
