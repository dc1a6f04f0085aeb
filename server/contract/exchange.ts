import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RouteMatch } from './request/route-table.ts'

/** Header fields on their way out; `undefined` means absent. */
export type OutgoingHeaders = Record<string, string | number | boolean | undefined>

/** What is known of one request while it is answered. */
export interface Exchange {
  /** Names the request in the log and in the `X-Request-Id` header. */
  readonly requestId: string
  /** The path as it was sent, still percent-encoded. */
  readonly path: string
  /** The query as it was sent, without the question mark. */
  readonly rawQuery: string
  /** Whether the path lies under the contract's base path, so that the contract rules the answer. */
  readonly underContract: boolean
  /** Which operation is meant, found before anything is checked. */
  readonly match: RouteMatch
  /** The header fields that every answer to this request carries. */
  readonly headers: OutgoingHeaders
  /** Names the caller, once the credential was checked. */
  callerId: string | undefined
  /** Where the answer was found to break the contract, once it was checked. */
  faults: readonly string[]
  /** The `code` of the Error object that was answered. */
  errorCode: string | undefined
}

/** A request that a server got: it has a method and a target, which one to be sent need not have. */
export interface Request extends IncomingMessage {
  method: string
  url: string
}

/** What is known of one request while it is answered, and what others note of it. */
export interface Locals {
  exchange: Exchange
  /** Names the trace that the request belongs to, where traces are made. */
  traceId?: string
}

/** A response that knows its exchange; where Express has it, its `locals` are those of Express. */
export interface Response extends ServerResponse {
  locals: Locals
}

type LocalsOfExchange = Locals

declare global {
  namespace Express {
    interface Locals extends LocalsOfExchange {}
  }
}
