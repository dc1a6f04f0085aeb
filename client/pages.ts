import type { Row } from './call.ts'
import { AnimalStoreError } from './error.ts'

/** A page of a list, with the query that gets the next one; undefined on the last page. */
export type Page<Item, Query> = Item[] & { readonly next: Query | undefined }

/** A list that can be awaited for its first page, or walked. Nothing is sent before that. */
export interface PagedList<Item, Query> extends PromiseLike<Page<Item, Query>> {
  readonly catch: Promise<Page<Item, Query>>['catch']
  readonly finally: Promise<Page<Item, Query>>['finally']
  /** Walks every item of every page. */
  readonly [Symbol.asyncIterator]: () => AsyncGenerator<Item, void, undefined>
  /** Walks page by page. */
  readonly pages: () => AsyncGenerator<Page<Item, Query>, void, undefined>
}

type Values = Readonly<Record<string, unknown>>
/** A page of a list of any operation. */
export type AnyPage = Page<unknown, Values>

/** A bound on walks whose last page never comes. */
const defaultMaxPages = 100_000

/** Makes a list of what gets one page. */
export function createPagedList(
  operationId: string,
  getPage: (query: Values) => Promise<AnyPage>,
  query: Values,
  maxPages = defaultMaxPages,
): PagedList<unknown, Values> {
  let first: Promise<AnyPage> | undefined
  const getFirst = (): Promise<AnyPage> => {
    first ??= getPage(query)
    return first
  }

  async function* pages(): AsyncGenerator<AnyPage, void, undefined> {
    let page = await getFirst()
    for (let count = 1; ; count++) {
      yield page
      if (page.next === undefined) return
      if (count >= maxPages) throw tooManyPages(operationId, maxPages)
      page = await getPage(page.next)
    }
  }

  async function* items(): AsyncGenerator<unknown, void, undefined> {
    for await (const page of pages()) yield* page
  }

  return {
    // biome-ignore lint/suspicious/noThenProperty: it is to be awaited
    then: (...handlers) => getFirst().then(...handlers),
    catch: (...handlers) => getFirst().catch(...handlers),
    finally: (...handlers) => getFirst().finally(...handlers),
    [Symbol.asyncIterator]: items,
    pages,
  }
}

/** The next page's query, from the `Link` field (RFC 8288); undefined where there is none. */
export function nextQuery(
  { operationId, paginatedBy: cursorName = '' }: Row,
  query: Values,
  response: Response,
  url: string,
): Values | undefined {
  const field = response.headers.get('link') ?? ''
  const links = field.matchAll(/<([^>]*)>((?:\s*;\s*[\w*]+=(?:"[^"]*"|[^\s",;]*))*)/g)
  const next = [...links].find(([, , parameters]) => /;\s*rel="?next"?/i.test(parameters ?? ''))
  if (next === undefined) return undefined
  const target = new URL(next[1] ?? '', url)
  const cursor = target.searchParams.get(cursorName)
  if (target.origin === new URL(url).origin && cursor !== null && cursor !== query[cursorName]) {
    return { ...query, [cursorName]: cursor }
  }
  const message = `The link to the next page of ${operationId} leads nowhere that is followed.`
  throw new AnimalStoreError(message, { operationId, code: 'unexpected_response', attempts: 1 })
}

function tooManyPages(operationId: string, maxPages: number): AnimalStoreError {
  const message = `The walk of ${operationId} ended after ${maxPages} pages, and there are more.`
  return new AnimalStoreError(message, { operationId, code: 'too_many_pages', attempts: 0 })
}
