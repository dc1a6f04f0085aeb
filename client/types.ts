import type { Client as FetchClient } from 'openapi-fetch'
import type { Methods, Page } from '../generated/calls.ts'
import type { paths } from '../generated/openapi.d.ts'
import type { RateLimit } from './hooks.ts'
import type { CallOptions, ListOptions } from './options.ts'

/** The data of a call, with the response that it came in. */
export interface DataWithResponse<Data> {
  readonly data: Data
  /** The response; its body has been read. */
  readonly response: Response
  /** The ID of the request in the log of the service. */
  readonly requestId: string | undefined
  readonly rateLimit: RateLimit | undefined
}

/** The method that the promise of every call has. */
export interface CallResult {
  /** Returns the response with the data; the request is sent once. */
  withResponse<Data>(this: PromiseLike<Data>): Promise<DataWithResponse<Data>>
}

/** The methods that the promise of a list has, which resolves to the first page. */
export interface ListResult extends CallResult {
  /** Iterates over the items of all pages. */
  [Symbol.asyncIterator](): AsyncGenerator<
    Awaited<this> extends readonly (infer Item)[] ? Item : never,
    void,
    undefined
  >
  /** Iterates over the pages. */
  pages<Page>(this: PromiseLike<Page>): AsyncGenerator<Page, void, undefined>
}

/** A list, which can be awaited for its first page, or iterated over. */
export type PagedList<Item, Query> = Promise<Page<Item, Query>> & ListResult

/** A client: a method for each operation, and the openapi-fetch client beneath. */
export interface Client extends Methods<CallResult, ListResult, CallOptions, ListOptions> {
  /** The openapi-fetch client that the methods call; it resolves to `data` or `error`. */
  readonly raw: FetchClient<paths>
}
