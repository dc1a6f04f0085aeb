import { AnimalStoreError } from './error.ts'

/** A page of a list, with the query that gets the next one; undefined on the last page. */
export type Page<Item, Query> = Item[] & { readonly next: Query | undefined }

/** A list that can be awaited for its first page, or walked. */
export interface PagedList<Item, Query> extends Promise<Page<Item, Query>> {
  /** Walks every item of every page. */
  readonly [Symbol.asyncIterator]: () => AsyncGenerator<Item, void, undefined>
  /** Walks page by page. */
  readonly pages: () => AsyncGenerator<Page<Item, Query>, void, undefined>
}

type Values = Readonly<Record<string, unknown>>
/** A page of a list of any operation. */
export type AnyPage = Page<unknown, Values>

/** What a walk needs to know. */
export interface Walk {
  readonly operationId: string
  readonly getPage: (query: Values) => Promise<AnyPage>
  readonly query: Values
  /** A bound on walks whose last page never comes. */
  readonly maxPages?: number
  readonly signal?: AbortSignal
}

/** Makes a list of what gets one page. */
export function createPagedList(walk: Walk): PagedList<unknown, Values> {
  const { operationId, getPage, query, maxPages = 100_000, signal } = walk
  const first = getPage(query)

  async function* pages(): AsyncGenerator<AnyPage, void, undefined> {
    let page = await first
    for (let count = 1; ; count++) {
      signal?.throwIfAborted()
      yield page
      if (!page.next) return
      if (count >= maxPages) {
        const call = { operationId, code: 'too_many_pages', attempts: 0 }
        throw new AnimalStoreError(`${operationId} has more than ${maxPages} pages.`, call)
      }
      page = await getPage(page.next)
    }
  }

  async function* items(): AsyncGenerator<unknown, void, undefined> {
    for await (const page of pages()) {
      for (const item of page) {
        signal?.throwIfAborted()
        yield item
      }
    }
  }

  return Object.assign(first, { [Symbol.asyncIterator]: items, pages })
}
