import type { Client as FetchClient } from 'openapi-fetch'
import type { RateLimit } from './hooks.ts'

/** The data of a call, with the response that it came in. */
export interface DataWithResponse<Data> {
  readonly data: Data
  /** The response; its body has been read. */
  readonly response: Response
  /** The ID of the request in the log of the service. */
  readonly requestId: string | undefined
  readonly rateLimit: RateLimit | undefined
}

/** The method of the promise of every call. */
export interface CallResult {
  /** Returns the response with the data; the request is sent once. */
  withResponse<Data>(this: PromiseLike<Data>): Promise<DataWithResponse<Data>>
}

/** The method of the promise of a call, if its responses have headers that the API declares. */
export interface HeadersResult<Headers> {
  /** Returns the response and its headers with the data; the request is sent once. */
  withResponse<Data>(this: PromiseLike<Data>): Promise<DataWithHeaders<Data, Headers>>
}

/** The data of a call, with the response that it came in, and the headers that the API declares. */
export interface DataWithHeaders<Data, Headers> extends DataWithResponse<Data> {
  /** The declared headers that were sent, with the types of the contract; all others are in `response.headers`. */
  readonly headers: Headers
}

/** The methods of the promise of a list, which resolves to the first page. */
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
export type PagedList<Item, Query> = Promise<Item[] & { readonly next: Query | undefined }> &
  ListResult

/** What a client has beside its methods. */
export interface RawClient<Paths extends object> {
  /** The openapi-fetch client that the methods call; it resolves to `data` or `error`. */
  readonly raw: FetchClient<Paths>
}
