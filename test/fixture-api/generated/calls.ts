// Generated from openapi.yaml by `npm run generate`. Do not edit.

import { createLinkedList } from '../../../client/link-pages.ts'
import { readHeaders } from '../../../client/response-headers.ts'
import { cookieRules, writeStyled } from '../../../client/styled-parameters.ts'
import type { HeadersResult } from '../../../client/types.ts'
export type { DataWithHeaders, HeadersResult } from '../../../client/types.ts'
import type { components, paths } from './openapi.d.ts'

/** How each operation is called, by operationId. */
export const calls = {
  "listTools": {
    "method": "get",
    "path": "/tools",
    "query": true,
    "parameters": {
      "styles": {
        "query ids": "form"
      },
      "write": writeStyled
    },
    "pages": {
      "style": "link",
      "parameter": "cursor",
      "createList": createLinkedList
    },
    "headers": {
      "kinds": {
        "X-Total": "number"
      },
      "read": readHeaders
    },
    "options": [
      cookieRules
    ]
  },
  "createTool": {
    "method": "post",
    "path": "/tools",
    "body": true,
    "idempotent": true
  },
  "getTool": {
    "method": "get",
    "path": "/tools/{toolId}"
  },
  "replaceTool": {
    "method": "put",
    "path": "/tools/{toolId}",
    "body": true
  },
  "updateTool": {
    "method": "patch",
    "path": "/tools/{toolId}",
    "body": true
  },
  "deleteTool": {
    "method": "delete",
    "path": "/tools/{toolId}"
  },
  "getManual": {
    "method": "get",
    "path": "/tools/{toolId}/manual",
    "replacement": "GET /tools/{toolId}"
  },
  "getLoan": {
    "method": "get",
    "path": "/members/{member}/loans/{number}.json"
  },
  "getOpeningHours": {
    "method": "get",
    "path": "/opening-hours"
  }
} as const

/**
 * A method for each operation: path parameters in the order of the path, then the body, the query
 * and the options. What a client adds to every result and takes as options is its own.
 */
export interface Methods<CallResult, ListResult, CallOptions, ListOptions> {
  /**
   * List tools
   *
   * One page of tools, ordered by ascending `id`.
   *
   * @param query
   * - `limit`: Maximum number of tools to return. From 1 to 50; default 10.
   * - `cursor`: Where the page starts, as the `Link` header of the page before gave it.
   * - `kind`: Returns only tools of this kind.
   * - `tag`: Returns only tools with all of these tags; the parameter is repeated. At most 3 items; no item twice.
   * - `ids`: Returns only these tools, separated by commas. From 1 to 5 items.
   * - `heavier-than`: Returns only tools that weigh more, in kilograms. More than 0, at most 1000.
   * @param options
   * - `headers["X-Trace"]`: Names the visit that this request belongs to.
   * - `cookies["shelf"]`: The shelf that the client last looked at. From 1 to 99.
   */
  listTools(
    query?: ListToolsQuery,
    options?: ListOptions & { readonly headers?: ListToolsHeaders | undefined; readonly cookies?: ListToolsCookies | undefined },
  ): Promise<Page<Tool, ListToolsQuery>> & HeadersResult<ListToolsResponseHeaders> & ListResult
  /**
   * Create a tool
   *
   * Creates a tool. With an `Idempotency-Key` the request may be repeated.
   *
   * @param body The tool to create.
   * @param options
   * - `headers["Idempotency-Key"]`: A key that identifies this request, 1 to 255 printable ASCII characters that you choose, best a random UUID. The same key for the same request returns the first response again, for 24 hours by default. The quoted form of draft-ietf-httpapi-idempotency-key-header means the same key.
   */
  createTool(
    body: NewTool,
    options?: CallOptions & { readonly headers?: CreateToolHeaders | undefined },
  ): Promise<Tool> & CallResult
  /**
   * Get a tool
   *
   * One tool by its `id`.
   *
   * @param toolId The identifier of the tool. At least 1.
   */
  getTool(
    toolId: GetToolPath["toolId"],
    options?: CallOptions,
  ): Promise<Tool> & CallResult
  /**
   * Replace a tool
   *
   * Replaces every field of a tool but its `id`.
   *
   * @param toolId The identifier of the tool. At least 1.
   * @param body The tool in its place.
   */
  replaceTool(
    toolId: ReplaceToolPath["toolId"],
    body: NewTool,
    options?: CallOptions,
  ): Promise<Tool> & CallResult
  /**
   * Update a tool
   *
   * Changes the fields that are sent; `null` removes a note.
   *
   * @param toolId The identifier of the tool. At least 1.
   * @param body The fields to change.
   */
  updateTool(
    toolId: UpdateToolPath["toolId"],
    body: ToolChanges,
    options?: CallOptions,
  ): Promise<Tool> & CallResult
  /**
   * Delete a tool
   *
   * Deletes a tool.
   *
   * @param toolId The identifier of the tool. At least 1.
   */
  deleteTool(
    toolId: DeleteToolPath["toolId"],
    options?: CallOptions,
  ): Promise<undefined> & CallResult
  /**
   * Get the manual of a tool
   *
   * Deprecated, and will be removed on 31 January 2031. Use `getTool` instead.
   *
   * @param toolId The identifier of the tool. At least 1.
   * @deprecated It will be removed on 2031-01-31. Use GET /tools/{toolId} instead.
   */
  getManual(
    toolId: GetManualPath["toolId"],
    options?: CallOptions,
  ): Promise<Manual> & CallResult
  /**
   * Get a loan of a member
   *
   * One loan of a member.
   *
   * @param member The name of the member. From 2 to 20 characters.
   * @param number The number of the loan. At least 1.
   */
  getLoan(
    member: GetLoanPath["member"],
    number: GetLoanPath["number"],
    options?: CallOptions,
  ): Promise<Loan> & CallResult
  /**
   * Get the opening hours
   *
   * When the library is open. Anyone may ask.
   */
  getOpeningHours(
    options?: CallOptions,
  ): Promise<OpeningHours> & CallResult
}

/** A page of a list, with the query of the next page; undefined on the last page. */
export type Page<Item, Query> = Item[] & { readonly next: Query | undefined }

/** The query parameters of `listTools`. */
export type ListToolsQuery = { [Key in keyof NonNullable<paths["/tools"]['get']['parameters']['query']>]: NonNullable<paths["/tools"]['get']['parameters']['query']>[Key] }

/** The header fields of a request of `listTools`. */
export type ListToolsHeaders = { [Key in keyof NonNullable<paths["/tools"]['get']['parameters']['header']>]: NonNullable<paths["/tools"]['get']['parameters']['header']>[Key] }

/** The cookies of `listTools`. */
export type ListToolsCookies = { [Key in keyof NonNullable<paths["/tools"]['get']['parameters']['cookie']>]: NonNullable<paths["/tools"]['get']['parameters']['cookie']>[Key] }

/** The response headers of `listTools` that the API has. */
export interface ListToolsResponseHeaders {
  /** How many tools there are in all. */
  readonly "X-Total"?: NonNullable<paths["/tools"]['get']['responses'][200]['headers']["X-Total"]>
}

/** The header fields of a request of `createTool`. */
export type CreateToolHeaders = { [Key in keyof NonNullable<paths["/tools"]['post']['parameters']['header']>]: NonNullable<paths["/tools"]['post']['parameters']['header']>[Key] }

/** The path parameters of `getTool`. */
export type GetToolPath = { [Key in keyof NonNullable<paths["/tools/{toolId}"]['get']['parameters']['path']>]: NonNullable<paths["/tools/{toolId}"]['get']['parameters']['path']>[Key] }

/** The path parameters of `replaceTool`. */
export type ReplaceToolPath = { [Key in keyof NonNullable<paths["/tools/{toolId}"]['put']['parameters']['path']>]: NonNullable<paths["/tools/{toolId}"]['put']['parameters']['path']>[Key] }

/** The path parameters of `updateTool`. */
export type UpdateToolPath = { [Key in keyof NonNullable<paths["/tools/{toolId}"]['patch']['parameters']['path']>]: NonNullable<paths["/tools/{toolId}"]['patch']['parameters']['path']>[Key] }

/** The path parameters of `deleteTool`. */
export type DeleteToolPath = { [Key in keyof NonNullable<paths["/tools/{toolId}"]['delete']['parameters']['path']>]: NonNullable<paths["/tools/{toolId}"]['delete']['parameters']['path']>[Key] }

/** The path parameters of `getManual`. */
export type GetManualPath = { [Key in keyof NonNullable<paths["/tools/{toolId}/manual"]['get']['parameters']['path']>]: NonNullable<paths["/tools/{toolId}/manual"]['get']['parameters']['path']>[Key] }

/** The path parameters of `getLoan`. */
export type GetLoanPath = { [Key in keyof NonNullable<paths["/members/{member}/loans/{number}.json"]['get']['parameters']['path']>]: NonNullable<paths["/members/{member}/loans/{number}.json"]['get']['parameters']['path']>[Key] }

/** The bodies of error responses, by status. */
export interface ErrorBodies {
  readonly 400: InvalidParametersError | InvalidRequestError
  readonly 401: UnauthorizedError
  readonly 404: NotFoundError
  readonly 406: NotAcceptableError
  readonly 409: IdempotencyInProgressError
  readonly 413: PayloadTooLargeError
  readonly 415: UnsupportedMediaTypeError
  readonly 422: IdempotencyKeyReusedError
  readonly 429: RateLimitedError
  readonly 500: InternalServerError
  readonly 503: UnavailableError
}

/** The body of an error response: of any, or of one with a status. */
export type ErrorBody<Status extends keyof ErrorBodies = keyof ErrorBodies> = ErrorBodies[Status]

/** An identifier. */
export type Id = components['schemas']["Id"]

/** The kind of a tool. */
export type Kind = components['schemas']["Kind"]

/** A word to find a tool by. */
export type Tag = components['schemas']["Tag"]

/** What every tool has, new or stored. */
export type ToolFields = { [Key in keyof components['schemas']["ToolFields"]]: components['schemas']["ToolFields"][Key] }

/** A drill to create. */
export type NewDrill = { [Key in keyof components['schemas']["NewDrill"]]: components['schemas']["NewDrill"][Key] }

/** A saw to create. */
export type NewSaw = { [Key in keyof components['schemas']["NewSaw"]]: components['schemas']["NewSaw"][Key] }

/** What only a drill has. */
export type DrillFields = { [Key in keyof components['schemas']["DrillFields"]]: components['schemas']["DrillFields"][Key] }

/** What only a saw has. */
export type SawFields = { [Key in keyof components['schemas']["SawFields"]]: components['schemas']["SawFields"][Key] }

/** What the service adds to a tool. */
export type Stored = { [Key in keyof components['schemas']["Stored"]]: components['schemas']["Stored"][Key] }

/** A tool to create. */
export type NewTool = components['schemas']["NewTool"]

/** A drill. */
export type Drill = { [Key in keyof components['schemas']["Drill"]]: components['schemas']["Drill"][Key] }

/** A saw. */
export type Saw = { [Key in keyof components['schemas']["Saw"]]: components['schemas']["Saw"][Key] }

/** A tool. */
export type Tool = components['schemas']["Tool"]

/** A page of tools. */
export type Tools = components['schemas']["Tools"]

/** Fields of a tool to change, at least one. */
export type ToolChanges = { [Key in keyof components['schemas']["ToolChanges"]]: components['schemas']["ToolChanges"][Key] }

/** The manual of a tool. */
export type Manual = { [Key in keyof components['schemas']["Manual"]]: components['schemas']["Manual"][Key] }

/** A loan of a member. */
export type Loan = { [Key in keyof components['schemas']["Loan"]]: components['schemas']["Loan"][Key] }

/** Hours by day; null on days when it is closed. */
export type OpeningHours = { [Key in keyof components['schemas']["OpeningHours"]]: components['schemas']["OpeningHours"][Key] }

/** What went wrong, for programs. */
export type ErrorCode = components['schemas']["ErrorCode"]

/** A violation of the contract by a request. */
export type ErrorDetail = { [Key in keyof components['schemas']["ErrorDetail"]]: components['schemas']["ErrorDetail"][Key] }

/** Why a request failed. */
export type Error = { [Key in keyof components['schemas']["Error"]]: components['schemas']["Error"][Key] }

/** A parameter violates the contract. */
export type InvalidParametersError = { [Key in keyof components['schemas']["InvalidParametersError"]]: components['schemas']["InvalidParametersError"][Key] }

/** The API key is missing or invalid. */
export type UnauthorizedError = { [Key in keyof components['schemas']["UnauthorizedError"]]: components['schemas']["UnauthorizedError"][Key] }

/** The client does not accept JSON. */
export type NotAcceptableError = { [Key in keyof components['schemas']["NotAcceptableError"]]: components['schemas']["NotAcceptableError"][Key] }

/** Too many requests. */
export type RateLimitedError = { [Key in keyof components['schemas']["RateLimitedError"]]: components['schemas']["RateLimitedError"][Key] }

/** The service failed. */
export type InternalServerError = { [Key in keyof components['schemas']["InternalServerError"]]: components['schemas']["InternalServerError"][Key] }

/** The service is unavailable. */
export type UnavailableError = { [Key in keyof components['schemas']["UnavailableError"]]: components['schemas']["UnavailableError"][Key] }

/** The body or a parameter violates the contract. */
export type InvalidRequestError = { [Key in keyof components['schemas']["InvalidRequestError"]]: components['schemas']["InvalidRequestError"][Key] }

/** The first request with this key is still running. */
export type IdempotencyInProgressError = { [Key in keyof components['schemas']["IdempotencyInProgressError"]]: components['schemas']["IdempotencyInProgressError"][Key] }

/** The body is too large. */
export type PayloadTooLargeError = { [Key in keyof components['schemas']["PayloadTooLargeError"]]: components['schemas']["PayloadTooLargeError"][Key] }

/** The body has another media type or content coding. */
export type UnsupportedMediaTypeError = { [Key in keyof components['schemas']["UnsupportedMediaTypeError"]]: components['schemas']["UnsupportedMediaTypeError"][Key] }

/** The key was used for another request. */
export type IdempotencyKeyReusedError = { [Key in keyof components['schemas']["IdempotencyKeyReusedError"]]: components['schemas']["IdempotencyKeyReusedError"][Key] }

/** There is no such resource, or no such path. */
export type NotFoundError = { [Key in keyof components['schemas']["NotFoundError"]]: components['schemas']["NotFoundError"][Key] }

/** The path does not support the method. */
export type MethodNotAllowedError = { [Key in keyof components['schemas']["MethodNotAllowedError"]]: components['schemas']["MethodNotAllowedError"][Key] }

/** The request could not be read as HTTP. */
export type BadRequestFramingError = { [Key in keyof components['schemas']["BadRequestFramingError"]]: components['schemas']["BadRequestFramingError"][Key] }
