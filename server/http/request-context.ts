import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import type { ApiError } from '../contract/errors.ts'
import { type ResponseHeaders, securityHeaders } from '../contract/headers.ts'
import type { LargeIntegers } from '../contract/large-integers.ts'
import type { Operation } from '../contract/operation.ts'
import type { RequestValues } from '../contract/parameters.ts'
import { decode } from '../contract/percent-encoding.ts'
import type { ContentKind } from '../description/content-kind.ts'
import type { Caller } from '../security/authenticator.ts'
import type { UploadedFiles } from './body/uploaded-files.ts'

/** The state of one request while it is processed: `response.locals`. */
export interface RequestContext {
  /** Identifies the request in the log, in traces and in the `X-Request-Id` header. */
  requestId: string
  /** The path as it was sent, still percent-encoded. */
  path: string
  /** The query as it was sent, without the question mark; once the request is authenticated, without credentials. */
  rawQuery: string
  /** The names of query parameters that hold credentials: no link and no digest has their values. */
  credentialNames: ReadonlySet<string>
  /** Whether the description applies to the response. */
  isApiRequest: boolean
  /** Whether it is a health check. */
  isProbe: boolean
  /** The methods that the path supports. */
  allow: string
  /** Names of header fields that pages of other origins may send, beside those of the description. */
  allowedHeaders?: readonly string[]
  /** Whether it is a message of an agent, which may call an operation. */
  isAgentMessage?: boolean
  /** Counts a message of an agent within the limits, unless the operation that it calls does. */
  countMessage?: () => Promise<void>
  /** Counts the use by a caller whose credentials the upstream checks, once it has accepted them. */
  countAccepted?: () => void
  /** The operation that the method and the path name. */
  operation?: Operation
  /** Header fields of every response to this request. */
  headers: ResponseHeaders
  /** Who sends the request; absent without valid credentials. */
  caller?: Caller
  /** The media type of the body, as the description declares it; absent without a body. */
  mediaType?: string | undefined
  /** How the body was read. */
  contentKind?: ContentKind
  /** Whether its content may take long to arrive, as long as it makes progress. */
  isUpload?: boolean
  /** The files of the body. */
  uploadedFiles?: UploadedFiles
  /** Why the content could not be read to its end. */
  contentError?: unknown
  /** The media type of the operation's successes that the `Accept` header prefers; absent without content. */
  acceptedMediaType?: string | undefined
  /** The values of the request, once they are validated. */
  values?: RequestValues
  /** The integers of the body that double precision may not hold, if it has some and may have them. */
  largeIntegers?: LargeIntegers
  /** The exact texts of such integers, those of parameters as well, by JSON Pointers such as `/body/id`, once they are validated. */
  exactIntegers?: ReadonlyMap<string, string>
  /** How many query parameters of the request are not declared, and were ignored. */
  ignoredParameters?: number
  /** Where the response violates the description. */
  violations: readonly string[]
  /** Bytes of content that were sent in parts; absent unless the response is a stream. */
  streamedBytes?: number
  /** The error that the request was rejected with, by the service itself. */
  rejection?: ApiError
  /** The `code` of the Error object that was sent. */
  errorCode?: string | undefined
  /** The status that was written to the connection while the content was still being read. */
  statusOnSocket?: number
  /** Why the service closed the connection before all of the response was sent. */
  abortedBy?: 'shutdown'
  /** The reason for a rejection: load shedding, the limit of its address or key, a ban of the key. */
  rejectedBy?: 'overload' | 'address' | 'limited' | 'ban-started' | 'banned'
  /** The ID of the trace that the request belongs to, if it is traced. */
  traceId?: string
  /** The `traceparent` (W3C Trace Context) of requests that are sent because of this one. */
  traceparent?: string
}

declare global {
  namespace Express {
    interface Locals extends RequestContext {}
  }
}

const none: ReadonlySet<string> = new Set()

export interface KnownPaths {
  /** Returns whether the description applies to a path. */
  readonly isOfApi: (path: string) => boolean
  /** The paths of health checks. */
  readonly probePaths: ReadonlySet<string>
}

/** Begins the context of each request. */
export function requestContext({ isOfApi, probePaths }: KnownPaths): RequestHandler {
  return function beginContext(request, response, next) {
    const [path = '', ...query] = request.url.split('?')
    const requestId = toRequestId(request.headers['x-request-id'])
    const context: RequestContext = {
      requestId,
      path,
      rawQuery: query.join('?'),
      credentialNames: none,
      isApiRequest: isOfApi(path),
      isProbe: probePaths.has(path),
      // Those of a page, and of a path that does not exist.
      allow: 'GET, HEAD, OPTIONS',
      headers: { ...securityHeaders, 'X-Request-Id': requestId },
      violations: [],
    }
    response.locals = context
    // The router throws for a path that it cannot decode, before anything else is checked. With the
    // percent signs encoded, it is rejected with the other parameters; `originalUrl` stays as it was sent.
    if (decode(path) === undefined) {
      request.url = request.url.replaceAll('%', '%25')
    }
    next()
  }
}

/** Returns the ID of a request: the client's own if it has the usual form, else a new one. */
export function toRequestId(sentId: string | string[] | undefined): string {
  return typeof sentId === 'string' && isRequestId(sentId) ? sentId : randomUUID()
}

/** Returns whether the ID that a client has sent is kept. */
export function isRequestId(text: string): boolean {
  return /^[A-Za-z0-9-]{8,64}$/.test(text)
}
