import type { AnyResponse } from './any-response.ts'
import type { Operation } from './operation.ts'

/** What a stand-in may know of a request that is let in and keeps the contract. */
export interface MockRequest {
  /** Its `Prefer` fields (RFC 7240), as they were sent. */
  readonly prefer: readonly string[]
  /** The names of the query parameters that it has. */
  readonly queryNames: readonly string[]
}

/** Answers operations that nobody has written a handler for. */
export interface Mock {
  readonly answer: (operation: Operation, request: MockRequest) => AnyResponse
  /** Header fields that it reads although no operation declares them. */
  readonly readsHeaders: readonly string[]
  /** Header fields on its answers that no response declares. */
  readonly ownHeaders: readonly string[]
}
