import { type ApiErrorClass, responseError } from './errors.ts'
import { nextQuery, type Pagination, type Query, valueAt } from './next-page.ts'
import type { ListOptions } from './options.ts'
import { isRecord } from './record.ts'
import type { Call } from './request.ts'
import type { DataWithResponse } from './types.ts'

/** A page of items, with the query of the next page; undefined on the last page. */
export type QueryPage = readonly unknown[] & { readonly next: Query | undefined }

/** Returns the page that a response is, with the query of the next one. */
export function toPage(
  call: Call,
  pagination: Pagination,
  query: Query,
  body: unknown,
  response: Response,
): QueryPage {
  const { items: pointer = '' } = pagination
  const found = valueAt(body, pointer)
  // An envelope may omit an empty list.
  const items = isRecord(body) ? (found ?? []) : found
  if (!Array.isArray(items)) {
    throw responseError(call, response)
  }

  const link = response.headers.get('link') ?? ''
  const page = { body, count: items.length, link, baseUrl: call.config.baseUrl }
  const next = nextQuery(pagination, query, page)
  if (next === null) {
    throw responseError(call, response, undefined, ' with an invalid next link')
  }
  return pointer === '' ? Object.assign(items, { next }) : Object.assign([...items], { body, next })
}

/** Returns the promise of a call's data, which can also give the response. */
export function withResponse<Data>(result: Promise<DataWithResponse<Data>>) {
  const data = result.then((both) => both.data)
  return Object.assign(data, {
    async withResponse() {
      // Of both promises, only the one that this returns may count as unhandled.
      data.catch(() => undefined)
      return result
    },
  })
}

/** Returns a promise of the first page of a list that can be iterated over. */
export function createList(
  getPage: (query: Query) => Promise<DataWithResponse<QueryPage>>,
  { query, options }: { readonly query: Query; readonly options: ListOptions },
  { operationId, style }: { readonly operationId: string; readonly style: string },
  ErrorClass: ApiErrorClass,
) {
  const { signal, maxPages = 100_000 } = options
  const isCounted = style === 'offset' || style === 'page'
  const first = withResponse(getPage(query))

  async function* iterate(): AsyncGenerator<QueryPage, void, undefined> {
    let page = await first
    for (let count = 1; ; count++) {
      signal?.throwIfAborted()
      yield page
      if (!page.next) {
        return
      }
      if (count >= maxPages) {
        const fields = { operationId, code: 'too_many_pages', attempts: 0 }
        throw new ErrorClass(`${operationId} has more than ${maxPages} pages`, fields)
      }
      const previous = page
      page = (await getPage(page.next)).data
      if (isCounted && isRepeated(page, previous)) {
        const fields = { operationId, code: 'unexpected_response', attempts: 0 }
        throw new ErrorClass(`${operationId} has the same page twice`, fields)
      }
    }
  }

  function pages() {
    // The loop, which may begin later, rejects with its error.
    first.catch(() => undefined)
    return iterate()
  }

  // A default is evaluated at the call, not when the loop begins.
  async function* iterateItems(all = pages()): AsyncGenerator<unknown, void, undefined> {
    for await (const page of all) {
      for (const item of page) {
        signal?.throwIfAborted()
        yield item
      }
    }
  }

  return Object.assign(first, { [Symbol.asyncIterator]: () => iterateItems(), pages })
}

/** Returns whether a page that is not the last one has the items of the page before, as if it ignored the query. */
function isRepeated(page: QueryPage, previous: QueryPage): boolean {
  return page.next !== undefined && JSON.stringify(page) === JSON.stringify(previous)
}
