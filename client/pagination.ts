import { type ApiErrorClass, responseError } from './errors.ts'
import { findNextTarget } from './link-header.ts'
import type { ListOptions } from './options.ts'
import type { Call } from './request.ts'
import type { DataWithResponse } from './types.ts'

export type Query = Readonly<Record<string, unknown>>

/** A page of items, with the query of the next page; undefined on the last page. */
export type QueryPage = readonly unknown[] & { readonly next: Query | undefined }

/** Adds to a page the query of the next one, from the `Link` field (RFC 8288). */
export function toPage(
  call: Call,
  cursorName: string,
  query: Query,
  data: unknown,
  response: Response,
): QueryPage {
  if (!Array.isArray(data)) {
    throw responseError(call, response)
  }

  const target = findNextTarget(response.headers.get('link') ?? '')
  if (target === undefined) {
    return Object.assign(data, { next: undefined })
  }

  const cursor = readCursor(target, call.config.baseUrl, cursorName)
  if (cursor === null || cursor === query[cursorName]) {
    throw responseError(call, response, undefined, ' with an invalid next link')
  }
  return Object.assign(data, { next: { ...query, [cursorName]: cursor } })
}

function readCursor(target: string, baseUrl: string, name: string): string | null {
  try {
    const { origin, searchParams } = new URL(target, baseUrl)
    return origin === new URL(baseUrl).origin ? searchParams.get(name) : null
  } catch {
    return null
  }
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
  operationId: string,
  ErrorClass: ApiErrorClass,
) {
  const { signal, maxPages = 100_000 } = options
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
      page = (await getPage(page.next)).data
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
