import type { ReceivedBody } from './content.ts'
import type { MediaTypeIn } from './media-type-pattern.ts'

/** Operations with their requests, as `generated/openapi.d.ts` has them. */
export type OperationsWithRequests<Id extends PropertyKey> = {
  readonly [Name in Id]: {
    readonly parameters: {
      readonly path?: unknown
      readonly query?: unknown
      readonly header?: unknown
      readonly cookie?: unknown
    }
    readonly requestBody?: unknown
  }
}

/** The rows of operations in `generated/operations.ts`, which have the defaults of their parameters. */
export type OperationRows<Id extends PropertyKey> = {
  readonly [Name in Id]: {
    readonly parameters: {
      readonly query: unknown
      readonly header: unknown
      readonly cookie: unknown
    }
  }
}

/** The parameters of one location; an empty object if there are none. */
type ParametersOf<Parameters> = [NonNullable<Parameters>] extends [never]
  ? Record<never, never>
  : NonNullable<Parameters>

/**
 * The names of the parameters that have a default.
 *
 * @example NamesWithDefault<{ limit: { default: 20 }; cursor: { required: false } }> // "limit"
 */
type NamesWithDefault<Rows> = {
  [Name in keyof Rows]: Rows[Name] extends { default: unknown } ? Name : never
}[keyof Rows]

/**
 * Parameters as a handler gets them: one that has a default is always there.
 *
 * @example WithDefaults<{ limit?: number }, { limit: { default: 20 } }> // { limit: number }
 */
type WithDefaults<Parameters, Rows> = Parameters &
  Required<Pick<Parameters, keyof Parameters & NamesWithDefault<Rows>>>

/** A body beside its media type: a handler that compares the type knows which of several bodies was sent. */
export type BodyInput<RequestBody> = [NonNullable<RequestBody>] extends [never]
  ? { readonly mediaType: undefined; readonly body: never }
  : TypedBody<RequestBody>

type TypedBody<RequestBody> = RequestBody extends { content: infer Content }
  ? {
      [MediaType in keyof Content]: {
        readonly mediaType: MediaTypeIn<MediaType>
        readonly body: ReceivedBody<MediaType, Content[MediaType]>
      }
    }[keyof Content]
  : { readonly mediaType: undefined; readonly body: undefined }

/** The parameters of a request, decoded, with the defaults of the description. */
interface ParameterInput<
  Operations extends OperationsWithRequests<Id>,
  Rows extends OperationRows<Id>,
  Id extends keyof Operations & keyof Rows,
> {
  readonly path: ParametersOf<Operations[Id]['parameters']['path']>
  readonly query: WithDefaults<
    ParametersOf<Operations[Id]['parameters']['query']>,
    Rows[Id]['parameters']['query']
  >
  readonly headers: WithDefaults<
    ParametersOf<Operations[Id]['parameters']['header']>,
    Rows[Id]['parameters']['header']
  >
  readonly cookies: WithDefaults<
    ParametersOf<Operations[Id]['parameters']['cookie']>,
    Rows[Id]['parameters']['cookie']
  >
}

/** The input of an operation's handler: the validated request. */
export type OperationInput<
  Operations extends OperationsWithRequests<Id>,
  Rows extends OperationRows<Id>,
  Id extends keyof Operations & keyof Rows,
> = ParameterInput<Operations, Rows, Id> & BodyInput<Operations[Id]['requestBody']>
