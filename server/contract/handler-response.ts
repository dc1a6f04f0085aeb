import type { DeclaredFields } from './declared-fields.ts'
import type { DeclaredStatus, ResponseOf } from './declared-status.ts'
import type { Detail, ServiceErrorCode } from './errors.ts'
import type { ResponseHeaders, serviceHeaders } from './headers.ts'
import type { MediaTypeIn } from './media-type-pattern.ts'

/** A response before it is validated and sent, of a handler or of the service itself. */
export interface AnyResponse {
  readonly status: number
  readonly headers?: Readonly<ResponseHeaders>
  /** A JSON value, or text or bytes if `mediaType` is not JSON; absent from a response without content. */
  readonly body?: unknown
  /** The media type of JSON that is declared and that the client prefers, unless set. */
  readonly mediaType?: string
}

/** Operations with their responses by status, as `generated/openapi.d.ts` has them. */
export type OperationsWithResponses<Id extends PropertyKey> = {
  readonly [Name in Id]: { readonly responses: unknown }
}

/**
 * The responses that a handler may send, by status: those of ranges and of `default`, too, and not those whose
 * error only the service sends.
 */
export type HandlerResponses<
  Operations extends OperationsWithResponses<Id>,
  Id extends keyof Operations,
> = {
  [Status in DeclaredStatus<Operations[Id]['responses']> as OwnStatus<
    Status,
    ResponseOf<Operations[Id]['responses'], Status>
  >]: ResponseOf<Operations[Id]['responses'], Status>
}

/** The status of a response that is not the service's alone. */
type OwnStatus<Status, Response> = Response extends { content: infer Content }
  ? Content[keyof Content] extends { code: ServiceErrorCode }
    ? never
    : Status
  : Status

/** The body of a response; never if it has no content. */
export type BodyOf<Response> = Response extends { content: infer Content }
  ? Content[keyof Content]
  : never

/**
 * The headers of a response but those that the service adds; an optional one may be undefined, too.
 *
 * @example HeadersOf<{ headers: { Link?: string; 'X-Request-Id': string } }> // { Link?: string | undefined }
 */
type HeadersOf<Response> = DeclaredHeaders<Response> & ContentTypeOf<Response>

type DeclaredHeaders<Response> = Response extends { headers: infer Headers }
  ? {
      [Name in keyof Headers as OwnHeaderName<Name>]: IsOptional<Headers, Name> extends true
        ? Headers[Name] | undefined
        : Headers[Name]
    }
  : Record<never, never>

/** The media type of the content, which a handler may choose where several are declared. */
type ContentTypeOf<Response> = Response extends { content: infer Content }
  ? { readonly 'Content-Type'?: MediaTypeIn<keyof Content> | undefined }
  : Record<never, never>

/**
 * The media types of JSON of the successes; a range stands for `application/json`.
 *
 * @example AcceptedMediaType<{ 200: { content: { 'application/hal+json': Book; 'text/csv': string } } }>
 *   // 'application/hal+json'
 */
export type AcceptedMediaType<Responses> = [JsonTypeOfSuccess<Responses>] extends [never]
  ? undefined
  : JsonTypeOfSuccess<Responses>

type JsonTypeOfSuccess<Responses> = {
  [Status in keyof Responses]: `${Status & number}` extends `2${string}`
    ? Responses[Status] extends { content: infer Content }
      ? JsonType<keyof Content>
      : never
    : never
}[keyof Responses]

type JsonType<MediaType> = MediaType extends `${string}json${string}`
  ? MediaType
  : MediaType extends '*/*' | 'application/*'
    ? 'application/json'
    : never

/** The name of a header that is not the service's; never for the index signature of all other names. */
type OwnHeaderName<Name> = string extends Name
  ? never
  : Name extends string
    ? Lowercase<Name> extends ServiceHeaderName | 'content-type'
      ? never
      : Name
    : never

/** Names of header fields have no case. */
type ServiceHeaderName = Lowercase<(typeof serviceHeaders)[number]>

type IsOptional<Fields, Name extends keyof Fields> =
  Record<never, never> extends Pick<Fields, Name> ? true : false

/** An argument that may be omitted if no field of it is required. */
type HeadersArgument<Headers> =
  Record<never, never> extends Headers ? [headers?: Headers] : [headers: Headers]

/**
 * The arguments of `respond` after the status: the body if the response has content, then its headers.
 *
 * @example ContentOf<{ content: { 'application/json': Book } }, Book> // [body: Book, headers?: {}]
 */
type ContentOf<Response, Body> = [BodyOf<Response>] extends [never]
  ? EmptyContent<HeadersArgument<HeadersOf<Response>>>
  : [body: Body & DeclaredFields<Body, BodyOf<Response>>, ...HeadersArgument<HeadersOf<Response>>]

/** The arguments for a response without content: undefined in the place of the body, which may be omitted. */
type EmptyContent<Headers extends readonly unknown[]> = [] extends Headers
  ? [body?: undefined, ...Headers]
  : [body: undefined, ...Headers]

declare const createdByRespond: unique symbol

/** A response that `respond` or `respondError` has created: what the handler of an operation returns. */
export interface OperationResponse<Id> extends AnyResponse {
  readonly [createdByRespond]: Id
}

/** Creates a response of an operation: a status code that it declares, the body of that one, its headers. */
export type Respond<Id, Responses> = <
  Status extends keyof Responses,
  Body extends BodyOf<Responses[Status]>,
>(
  status: Status,
  ...content: ContentOf<Responses[Status], Body>
) => OperationResponse<Id>

/** The responses whose body is the Error object of the platform, by status. */
type ErrorResponses<Responses> = {
  [Status in keyof Responses as BodyOf<Responses[Status]> extends ErrorObject
    ? Status
    : never]: Responses[Status]
}

interface ErrorObject {
  code: string
  message: string
  details?: Detail[]
}

/** The error codes that go with a status code. */
type ErrorCodeOf<Response> = BodyOf<Response> extends { code: infer Code } ? Code : never

/** The last argument of `respondError`, which is required if the response has required headers. */
type ErrorOptions<Headers> =
  Record<never, never> extends Headers
    ? [options?: { readonly details?: readonly Detail[]; readonly headers?: Headers }]
    : [options: { readonly details?: readonly Detail[]; readonly headers: Headers }]

/** Creates an error response of an operation: the Error object with its status code. */
export type RespondError<Id, Responses> = <Status extends keyof ErrorResponses<Responses>>(
  status: Status,
  code: ErrorCodeOf<Responses[Status & keyof Responses]>,
  message: string,
  ...options: ErrorOptions<HeadersOf<Responses[Status & keyof Responses]>>
) => OperationResponse<Id>

/** Creates a response of any operation. */
export function respond(status: number, body?: unknown, headers?: ResponseHeaders): AnyResponse {
  const { 'Content-Type': mediaType, ...others } = headers ?? {}
  return {
    status,
    ...(body === undefined ? {} : { body }),
    ...(headers === undefined ? {} : { headers: others }),
    ...(typeof mediaType === 'string' ? { mediaType } : {}),
  }
}

/** Creates an error response of any operation. */
export function respondError(
  status: number,
  code: string,
  message: string,
  options: { readonly details?: readonly Detail[]; readonly headers?: ResponseHeaders } = {},
): AnyResponse {
  const { details, headers } = options
  const error = { code, message, status, ...(details === undefined ? {} : { details }) }
  return respond(status, error, headers)
}
