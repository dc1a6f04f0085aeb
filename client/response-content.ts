import { responseError } from './errors.ts'
import type { Operation } from './operation.ts'
import type { CallOptions } from './options.ts'
import type { Query } from './parameters.ts'
import type { Call } from './request.ts'
import type { DataWithResponse } from './types.ts'

/** A result of openapi-fetch: the data of a success is text, or the body if it is received in parts. It parses errors that are JSON. */
export interface FetchResult {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}

/** Reads the content of a response; throws the error of one that is no success. */
export type ReadContent = (call: Call, result: FetchResult) => unknown

/** How the content of a success is received. */
export interface Receiving {
  /** Whether it is read whole before the call is done. It may change until the response has arrived. */
  isWhole: boolean
}

/** How the items of a stream are read: a part of an entry of `generated/calls.ts`. */
export interface ItemContent {
  /** The media type. */
  readonly type: string
  /** Whether an item is a whole event, not the data of one. */
  readonly whole?: boolean
  /** Whether the data of events is JSON. */
  readonly json?: boolean
  /** Whether the data of some events is text. */
  readonly text?: boolean
  /** Whether each value follows a record separator (RFC 7464). */
  readonly sequence?: boolean
}

/** A call that has another result than a promise of the data alone. */
export interface ContentCall {
  readonly operation: Operation
  readonly query: Query
  readonly options: CallOptions
  /** Sends the request; `read` returns the data that the body of the response is. */
  readonly send: <Data>(
    query: Query,
    read: (body: unknown, call: Call, query: Query, response: Response) => Data,
    options: CallOptions,
    receiving: Receiving,
  ) => Promise<DataWithResponse<Awaited<Data>>>
}

/** Creates the result of a call; returns undefined for the usual one: a promise of JSON, or a list. */
export type CreateResult = (call: ContentCall) => unknown

/** Content that a call may choose; it has no function if it is the usual one. */
export interface AcceptedContent {
  readonly create?: CreateResult
  readonly items?: ItemContent
}

/** Reads JSON; undefined for 204. */
export const readJson: ReadContent = (call, { data, error, response }) => {
  if (!response.ok) {
    throw responseError(call, response, error)
  }
  if (response.status === 204) {
    return undefined
  }

  try {
    return JSON.parse(String(data))
  } catch {
    throw responseError(call, response, undefined, ', not JSON')
  }
}
