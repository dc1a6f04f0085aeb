import { type ApiErrorClass, createError } from './errors.ts'
import type { ListOptions } from './options.ts'
import type { Query } from './parameters.ts'
import type { Call } from './request.ts'
import type { DataWithResponse } from './types.ts'

/** How a list leads from page to page: a part of an entry of `generated/calls.ts`. Pointers are into the body. */
export interface Pagination {
  readonly style: 'cursor' | 'offset' | 'page' | 'link' | 'body-link'
  /** Where the items are, if the body is not the list. */
  readonly items?: string
  /** The query parameter with the cursor, the offset or the number of the page. */
  readonly parameter?: string
  /** The first offset, or the number of the first page, unless it is 0. */
  readonly start?: number
  readonly limit?: string
  /** Where the cursor or the URL of the next page is. */
  readonly next?: string
  readonly hasMore?: string
  /** Where the number of all items is. */
  readonly total?: string
  readonly totalPages?: string
}

/** A page of items, with the query of the next page; undefined on the last page. */
export type QueryPage = readonly unknown[] & { readonly next: Query | undefined }

/** Reads the page that a response is. */
export type ReadPage = (body: unknown, call: Call, query: Query, response: Response) => QueryPage

/** A call of a list. */
export interface ListCall {
  readonly operationId: string
  readonly query: Query
  readonly options: ListOptions
  readonly ErrorClass: ApiErrorClass
  /** Errors of a list, which are of no request, have 0. */
  readonly attempts: number
  /** Requests a page. */
  readonly getPage: (query: Query, read: ReadPage) => Promise<DataWithResponse<QueryPage>>
}

/** Creates the list that a call returns. */
export type CreateList = (call: ListCall, pagination: Pagination) => ReturnType<typeof createList>

/** Returns the promise of a call's data, which can also give the response. */
export function withResponse<Data>(result: Promise<DataWithResponse<Data>>) {
  const data = result.then((both) => both.data)
  return Object.assign(data, {
    async withResponse() {
      // Of the two promises, only the returned one may be reported as an unhandled rejection.
      data.catch(() => undefined)
      return result
    },
  })
}

/** Returns a promise of the first page of a list that can be iterated over; `check` may reject a further page. */
export function createList(
  call: ListCall,
  readPage: ReadPage,
  check?: (page: QueryPage, previous: QueryPage) => void,
) {
  const { query, options, getPage } = call
  const { signal, maxPages = 100_000 } = options
  const first = withResponse(getPage(query, readPage))

  async function* iterate(): AsyncGenerator<QueryPage, void, undefined> {
    let page = await first
    for (let count = 1; ; count++) {
      signal?.throwIfAborted()
      yield page
      if (!page.next) {
        return
      }
      if (count >= maxPages) {
        const message = `${call.operationId} has more than ${maxPages} pages`
        throw createError(call, message, { code: 'too_many_pages' })
      }
      const previous = page
      page = (await getPage(page.next, readPage)).data
      check?.(page, previous)
    }
  }

  function pages() {
    // The loop rejects with the error of the first page; it may begin later.
    first.catch(() => undefined)
    return iterate()
  }

  // A default is evaluated at the call, not when the loop begins.
  async function* iterateItems(allPages = pages()): AsyncGenerator<unknown, void, undefined> {
    for await (const page of allPages) {
      for (const item of page) {
        signal?.throwIfAborted()
        yield item
      }
    }
  }

  return Object.assign(first, { [Symbol.asyncIterator]: () => iterateItems(), pages })
}
