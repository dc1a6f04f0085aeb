import { isStreamed, type SentBody } from './content.ts'
import type { DeclaredFields } from './declared-fields.ts'
import type { DeclaredStatus, ResponseOf } from './declared-status.ts'
import type { Detail, PlatformCode, PlatformCodeOf, ServiceErrorCode } from './errors.ts'
import type { ResponseHeaders, serviceHeaders } from './headers.ts'
import type { MediaTypeIn } from './media-type-pattern.ts'

/** A response before it is validated and sent, of a handler or of the service itself. */
export interface AnyResponse {
  readonly status: number
  readonly headers?: Readonly<ResponseHeaders>
  /**
   * A JSON value, or if `mediaType` is not JSON a text, bytes, or an `AsyncIterable` of parts or items; absent
   * from a response without content.
   */
  readonly body?: unknown
  /** The bytes of a body that is sent in parts, if the sender knows how many there are. */
  readonly contentLength?: number
  /** What went wrong, in place of a body: the response is sent in the format that the API has for errors. */
  readonly error?: ErrorContent
  /** Unless set: JSON where it is declared, or else the declared type that the client prefers. */
  readonly mediaType?: string
}

/** What an error says, whatever the format of its body. */
export interface ErrorContent {
  readonly code: string
  readonly message: string
  readonly details: readonly Detail[]
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
  ? { [MediaType in keyof Content]: SentBody<MediaType, Content[MediaType]> }[keyof Content]
  : never

/**
 * The headers of a response but those that the service adds; an optional one may be undefined, too.
 *
 * @example HeadersOf<{ headers: { Link?: string; 'X-Request-Id': string } }> // { Link?: string | undefined }
 */
type HeadersOf<Response> = DeclaredHeaders<Response> & ContentHeadersOf<Response>

type DeclaredHeaders<Response> = Response extends { headers: infer Headers }
  ? {
      [Name in keyof Headers as OwnHeaderName<Name>]: IsOptional<Headers, Name> extends true
        ? Headers[Name] | undefined
        : Headers[Name]
    }
  : Record<never, never>

/** The media type of the content, which a handler may choose, and the bytes of content that is sent in parts. */
type ContentHeadersOf<Response> = Response extends { content: infer Content }
  ? {
      readonly 'Content-Type'?: MediaTypeIn<keyof Content> | undefined
    } & ContentLengthOf<BodyOf<Response>>
  : Record<never, never>

type ContentLengthOf<Body> = [Extract<Body, AsyncIterable<string | Uint8Array>>] extends [never]
  ? Record<never, never>
  : { readonly 'Content-Length'?: number | undefined }

/**
 * The media types of the successes; a range that JSON belongs to stands for `application/json` if it has a schema.
 *
 * @example AcceptedMediaType<{ 200: { content: { 'application/hal+json': Book; 'text/csv': string } } }>
 *   // 'application/hal+json' | 'text/csv'
 */
export type AcceptedMediaType<Responses> = [TypeOfSuccess<Responses>] extends [never]
  ? undefined
  : TypeOfSuccess<Responses>

type TypeOfSuccess<Responses> = {
  [Status in keyof Responses]: `${Status & number}` extends `2${string}`
    ? Responses[Status] extends { content: infer Content }
      ? { [MediaType in keyof Content]: SentType<MediaType, Content[MediaType]> }[keyof Content]
      : never
    : never
}[keyof Responses]

type SentType<MediaType, Body> = Body extends Blob
  ? MediaTypeIn<MediaType>
  : MediaType extends '*/*' | 'application/*'
    ? 'application/json'
    : MediaTypeIn<MediaType>

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

/** The responses of errors, by status. */
type ErrorResponses<Responses> = {
  [Status in keyof Responses as `${Status & number}` extends `${4 | 5}${string}`
    ? Status
    : never]: Responses[Status]
}

/**
 * The error codes that go with a status: those of the description. An API that has other codes than the
 * platform may use these, too; any text is a code where the description lists none.
 */
type ErrorCodeOf<Response, Status> = [BodyOf<Response>] extends [never]
  ? string
  : WithPlatformCodes<CodeIn<BodyOf<Response>>, Status>

type WithPlatformCodes<Code, Status> = [Extract<Code, PlatformCode>] extends [never]
  ? Code | PlatformCodeOf<Status>
  : Code

/**
 * The type of the code in the body of an error, which is a member of the body or of its member `error`.
 *
 * @example CodeIn<{ error: { code: 'gone' | 'moved' } }> // 'gone' | 'moved'
 */
type CodeIn<Body> = Body extends { code: infer Code extends string }
  ? Code
  : Body extends { error: { code: infer Code extends string } }
    ? Code
    : Body extends { error: infer Code extends string }
      ? Code
      : string

/** The last argument of `respondError`, which is required if the response has required headers. */
type ErrorOptions<Headers> =
  Record<never, never> extends Headers
    ? [options?: { readonly details?: readonly Detail[]; readonly headers?: Headers }]
    : [options: { readonly details?: readonly Detail[]; readonly headers: Headers }]

/** Creates an error response of an operation, in the format that the API has for errors. */
export type RespondError<Id, Responses> = <Status extends keyof ErrorResponses<Responses>>(
  status: Status,
  code: ErrorCodeOf<Responses[Status & keyof Responses], Status>,
  message: string,
  ...options: ErrorOptions<HeadersOf<Responses[Status & keyof Responses]>>
) => OperationResponse<Id>

/** Creates a response of any operation. */
export function respond(status: number, body?: unknown, headers?: ResponseHeaders): AnyResponse {
  const { 'Content-Type': mediaType, ...otherHeaders } = headers ?? {}
  const response = {
    status,
    ...(body === undefined ? {} : { body }),
    ...(headers === undefined ? {} : { headers: otherHeaders }),
    ...(typeof mediaType === 'string' ? { mediaType } : {}),
  }
  return isStreamed(body) ? withContentLength(response) : response
}

/** Returns a response whose `Content-Length` is known before its content is sent. */
function withContentLength(response: AnyResponse): AnyResponse {
  const { 'Content-Length': contentLength, ...headers } = response.headers ?? {}
  return typeof contentLength === 'number' ? { ...response, headers, contentLength } : response
}

/** Creates an error response of any operation. */
export function respondError(
  status: number,
  code: string,
  message: string,
  options: { readonly details?: readonly Detail[]; readonly headers?: ResponseHeaders } = {},
): AnyResponse {
  const { details = [], headers } = options
  const error = { code, message, details }
  return { status, error, ...(headers === undefined ? {} : { headers }) }
}
