import type { operations as Contract, components } from '../../generated/openapi.d.ts'
import type { operations as table } from '../../generated/operations.ts'
import type { ResponseHeaders, ServiceHeader } from './headers.ts'
import type { RequestValues } from './parameters.ts'

/** The operationIds of the description. */
export type OperationId = keyof Contract & keyof typeof table

/** A schema of the description, by its name. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

type Filled<T> = [NonNullable<T>] extends [never] ? Record<never, never> : NonNullable<T>
type Declared<T> = { [K in keyof T as string extends K ? never : K]: T[K] }
type JsonOf<T> = T extends { content: infer C } ? C[keyof C & `application/json${string}`] : never

type Defaulted<P> = { [K in keyof P]: P[K] extends { default: unknown } ? K : never }[keyof P]
type WithDefaults<T, P> = T & Required<Pick<T, keyof T & Defaulted<P>>>

type Rows<Id extends OperationId> = (typeof table)[Id]['parameters']
type Wire<Id extends OperationId> = Contract[Id]['parameters']

/** A body beside its media type: a handler that compares the type knows which of several bodies was sent. */
export type BodyInput<B> = [NonNullable<B>] extends [never]
  ? { readonly mediaType: undefined; readonly body: never }
  : TypedBody<B>
type TypedBody<B> = B extends { content: infer C }
  ? { [Type in keyof C]: { readonly mediaType: Type; readonly body: C[Type] } }[keyof C]
  : { readonly mediaType: undefined; readonly body: undefined }

/** The parameters of a request, decoded, with the defaults of the description. */
interface ParameterInput<Id extends OperationId> {
  readonly path: Filled<Wire<Id>['path']>
  readonly query: WithDefaults<Filled<Wire<Id>['query']>, Rows<Id>['query']>
  readonly headers: WithDefaults<Filled<Wire<Id>['header']>, Rows<Id>['header']>
  readonly cookies: WithDefaults<Filled<Wire<Id>['cookie']>, Rows<Id>['cookie']>
}

/** The input of a handler: the validated request. */
export type Input<Id extends OperationId> = ParameterInput<Id> &
  BodyInput<Contract[Id]['requestBody']>

type OwnHeaders<R> = R extends { headers: infer H } ? Omit<Declared<H>, ServiceHeader> : unknown
type Loose<H> = {
  [K in keyof H]: Record<never, never> extends Pick<H, K> ? H[K] | undefined : H[K]
}
// A header of the description that this response does not declare.
type Undeclared<H> = { readonly [Name in Exclude<keyof components['headers'], keyof H>]?: never }
type Flat<T> = { [K in keyof T]: T[K] }
type Headers<H> = Flat<Loose<H> & Undeclared<H>>
type WithHeaders<H> =
  Record<never, never> extends H
    ? { readonly headers?: Headers<H> }
    : { readonly headers: Headers<H> }
// The other members of a response are for the service itself.
type Nothing = {
  readonly [Name in Exclude<keyof AnyResponse, 'status' | 'headers' | 'body'>]?: never
}
type WithBody<B> = [B] extends [never] ? { readonly body?: never } : { readonly body: B }

/** A response of a handler: a status code that the description declares, with its body and its headers. */
export type HandlerResponse<Id extends OperationId> = {
  [Status in keyof Contract[Id]['responses']]: { readonly status: Status } & WithBody<
    JsonOf<Contract[Id]['responses'][Status]>
  > &
    WithHeaders<OwnHeaders<Contract[Id]['responses'][Status]>> &
    Nothing
}[keyof Contract[Id]['responses']]

/** The context of a call, beside its input. */
export interface CallContext<Id extends OperationId> {
  /** The ID of the client's API key; absent if a public operation is called without one. */
  readonly callerId: string | undefined
  /** Returns the relative reference (RFC 3986) to this path with another query, its order kept. */
  readonly hrefWith: (query: Loose<Partial<Input<Id>['query']>>) => string
  /** Returns a digest of the request with this body: its method, path and query are compared, too. */
  readonly fingerprint: (body: unknown) => string
}

/** Implements one operation: gets the validated input, returns a declared response, throws only the unexpected. */
export type Handler<Id extends OperationId> = (
  input: Input<Id>,
  context: CallContext<Id>,
) => HandlerResponse<Id> | Promise<HandlerResponse<Id>>

/** Stands for a handler that is not written yet: responses are samples of the description. */
export const sampled = 'sampled'

/** One handler for every operation of the description, no more and no fewer. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> | typeof sampled }

/** A response before it is validated and sent, of a handler or of the service itself. */
export interface AnyResponse {
  readonly status: number
  readonly headers?: Readonly<ResponseHeaders>
  /** A JSON value, or text or bytes if `mediaType` is not JSON; absent from a response without content. */
  readonly body?: unknown
  /** `application/json` unless set. */
  readonly mediaType?: string
}

/** A handler as it is called: that of any operation, or of the mock. */
export type CallableHandler = (
  input: RequestValues,
  context: {
    readonly callerId: string | undefined
    readonly hrefWith: (query: Readonly<Record<string, unknown>>) => string
    readonly fingerprint: (body: unknown) => string
    /** The `Prefer` headers (RFC 7240) as they were sent, which the mock reads. */
    readonly prefer: readonly string[]
  },
) => AnyResponse | Promise<AnyResponse>

/** A handler of any operation: the types of its input are checked where it is written. */
export type AnyHandler =
  | ((input: never, context: never) => AnyResponse | Promise<AnyResponse>)
  | typeof sampled
