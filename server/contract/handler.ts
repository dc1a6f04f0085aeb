import type { components, operations } from '../../generated/openapi.d.ts'
import type { operations as rows } from '../../generated/operations.ts'
import type { JsonObject } from '../description/json.ts'
import type { OperationInput, OperationRows, OperationsWithRequests } from './handler-input.ts'
import type {
  AcceptedMediaType,
  AnyResponse,
  BodyOf,
  HandlerResponses,
  OperationResponse,
  OperationsWithResponses,
  Respond,
  RespondError,
  respond,
  respondError,
} from './handler-response.ts'
import type { RequestValues } from './parameters.ts'

/** The names of the operations that the service serves. */
export type OperationId = keyof operations & ServedName<typeof rows>

/**
 * The names of the operations that have no reason not to be served.
 *
 * @example ServedName<{ a: {}; b: { unserved: 'TRACE' } }> // 'a'
 */
type ServedName<Rows> = {
  [Name in keyof Rows]: Rows[Name] extends { unserved: string } ? never : Name
}[keyof Rows]

/** A schema of the description, by its name. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

/** The body of a response that an operation declares, by its status, its range such as `4XX`, or `default`. */
export type ResponseBody<
  Id extends OperationId,
  Status extends keyof operations[Id]['responses'],
> = BodyOf<operations[Id]['responses'][Status]>

/** Who calls an operation, as its credentials say. */
export interface CallerIdentity {
  /** Identifies the caller in limits, usage, idempotency and logs: the ID of a key, or a digest of issuer and subject. */
  readonly id: string
  /** The scopes that its credentials list; undefined if they list none and allow everything, as API keys do. */
  readonly scopes: ReadonlySet<string> | undefined
  /** The claims of its token; empty for other credentials. */
  readonly claims: JsonObject
}

/** The context of a call, beside its input, as far as it is the same for every operation. */
interface CallContext {
  /** Who calls; absent if an operation that requires no credentials is called without them. */
  readonly caller: CallerIdentity | undefined
  /** The ID of the caller, such as that of its API key. */
  readonly callerId: string | undefined
  /** The ID of the last event that a client got, which it sends when it reconnects to a stream of events. */
  readonly lastEventId: string | undefined
  /** Aborted when the response is over: it was sent, or the client has left. */
  readonly signal: AbortSignal
  /**
   * The exact texts of the integers of 64 bits that double precision may not hold, by JSON Pointers such as
   * `/body/id` or `/path/id`; the values are the nearest numbers. `requests.largeIntegers` accepts them.
   */
  readonly exactIntegers: ReadonlyMap<string, string>
  /** Returns a digest of the request with this body: its method, path and query are compared, too. */
  readonly fingerprint: (body: unknown) => string
}

/** The context of a call of an operation. */
interface OperationContext<Id, Query, Responses> extends CallContext {
  /** The media type of the successes that the `Accept` header prefers; undefined where none has content. */
  readonly acceptedMediaType: AcceptedMediaType<Responses>
  /** Returns the relative reference (RFC 3986) to this path with another query, its order kept. */
  readonly hrefWith: (query: PartialOrUndefined<Query>) => string
  readonly respond: Respond<Id, Responses>
  readonly respondError: RespondError<Id, Responses>
}

/**
 * A part of some values, each of which may be undefined.
 *
 * @example PartialOrUndefined<{ limit: number }> // { limit?: number | undefined }
 */
type PartialOrUndefined<Values> = { [Name in keyof Values]?: Values[Name] | undefined }

/** Implements an operation of any description, given what `generated/` has of it. */
export type OperationHandler<
  Operations extends OperationsWithRequests<Id> & OperationsWithResponses<Id>,
  Rows extends OperationRows<Id>,
  Id extends keyof Operations & keyof Rows,
> = (
  input: OperationInput<Operations, Rows, Id>,
  context: OperationContext<
    Id,
    OperationInput<Operations, Rows, Id>['query'],
    HandlerResponses<Operations, Id>
  >,
) => OperationResponse<Id> | Promise<OperationResponse<Id>>

/** The input of a handler: the validated request. */
export type Input<Id extends OperationId> = OperationInput<operations, typeof rows, Id>

/** Implements one operation: gets the validated input, returns a declared response, throws only the unexpected. */
export type Handler<Id extends OperationId> = OperationHandler<operations, typeof rows, Id>

/**
 * Stands for a handler that is not written yet: requests are forwarded to the service at UPSTREAM_URL, or
 * else responses are samples of the description.
 */
export const sampled = 'sampled'

/** One handler for every operation of the description, no more and no fewer. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> | typeof sampled }

/** The context of a call of any operation. */
export interface AnyContext extends CallContext {
  readonly acceptedMediaType: string | undefined
  readonly hrefWith: (query: Readonly<Record<string, unknown>>) => string
  readonly respond: typeof respond
  readonly respondError: typeof respondError
  /** The `Prefer` headers (RFC 7240) as they were sent, which the mock reads. */
  readonly prefer: readonly string[]
}

/** A handler as it is called: that of any operation, or of the mock. */
export type CallableHandler = (
  input: RequestValues,
  context: AnyContext,
) => AnyResponse | Promise<AnyResponse>

/** A handler of any operation: the types of its input are checked where it is written. */
export type AnyHandler =
  | ((input: never, context: never) => AnyResponse | Promise<AnyResponse>)
  | typeof sampled
