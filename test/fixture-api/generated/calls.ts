// Generated from openapi.yaml by `npm run generate`. Do not edit.

import type { components, paths } from './openapi.d.ts'

/** How each operation is called, by operationId. */
export const calls = {
  "listTools": {
    "method": "get",
    "path": "/tools",
    "query": true,
    "styles": {
      "query ids": "form"
    },
    "pages": {
      "style": "link",
      "parameter": "cursor"
    }
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
   */
  listTools(
    query?: paths["/tools"]['get']['parameters']['query'],
    options?: ListOptions & { readonly headers?: paths["/tools"]['get']['parameters']['header']; readonly cookies?: paths["/tools"]['get']['parameters']['cookie'] },
  ): Promise<Page<Tool, NonNullable<paths["/tools"]['get']['parameters']['query']>>> & ListResult
  /**
   * Create a tool
   *
   * Creates a tool. With an `Idempotency-Key` the request may be repeated.
   *
   * @param body The tool to create.
   */
  createTool(
    body: NewTool,
    options?: CallOptions & { readonly headers?: paths["/tools"]['post']['parameters']['header'] },
  ): Promise<Tool> & CallResult
  /**
   * Get a tool
   *
   * One tool by its `id`.
   *
   * @param toolId The identifier of the tool.
   */
  getTool(
    toolId: paths["/tools/{toolId}"]['get']['parameters']['path']["toolId"],
    options?: CallOptions,
  ): Promise<Tool> & CallResult
  /**
   * Replace a tool
   *
   * Replaces every field of a tool but its `id`.
   *
   * @param toolId The identifier of the tool.
   * @param body The tool in its place.
   */
  replaceTool(
    toolId: paths["/tools/{toolId}"]['put']['parameters']['path']["toolId"],
    body: NewTool,
    options?: CallOptions,
  ): Promise<Tool> & CallResult
  /**
   * Update a tool
   *
   * Changes the fields that are sent; `null` removes a note.
   *
   * @param toolId The identifier of the tool.
   * @param body The fields to change.
   */
  updateTool(
    toolId: paths["/tools/{toolId}"]['patch']['parameters']['path']["toolId"],
    body: ToolChanges,
    options?: CallOptions,
  ): Promise<Tool> & CallResult
  /**
   * Delete a tool
   *
   * Deletes a tool.
   *
   * @param toolId The identifier of the tool.
   */
  deleteTool(
    toolId: paths["/tools/{toolId}"]['delete']['parameters']['path']["toolId"],
    options?: CallOptions,
  ): Promise<undefined> & CallResult
  /**
   * Get the manual of a tool
   *
   * Deprecated, and will be removed on 31 January 2031. Use `getTool` instead.
   *
   * @param toolId The identifier of the tool.
   * @deprecated It will be removed on 2031-01-31. Use GET /tools/{toolId} instead.
   */
  getManual(
    toolId: paths["/tools/{toolId}/manual"]['get']['parameters']['path']["toolId"],
    options?: CallOptions,
  ): Promise<Manual> & CallResult
  /**
   * Get a loan of a member
   *
   * One loan of a member.
   *
   * @param member The name of the member.
   * @param number The number of the loan.
   */
  getLoan(
    member: paths["/members/{member}/loans/{number}.json"]['get']['parameters']['path']["member"],
    number: paths["/members/{member}/loans/{number}.json"]['get']['parameters']['path']["number"],
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
