import { findNextTarget } from './link-header.ts'
import { isRecord } from './record.ts'

export type Query = Readonly<Record<string, unknown>>

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

/** What came with a page. */
interface Page {
  readonly body: unknown
  /** The number of its items. */
  readonly count: number
  /** The header field `Link`. */
  readonly link: string
  readonly baseUrl: string
}

/** Returns the value at a JSON Pointer (RFC 6901); undefined where there is none. */
export function valueAt(body: unknown, pointer: string): unknown {
  const [, ...tokens] = pointer.split('/')
  return tokens.reduce((value: unknown, token) => {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
  }, body)
}

/** Returns the query of the next page: undefined after the last one, null where the page names none that is new. */
export function nextQuery(
  pagination: Pagination,
  query: Query,
  page: Page,
): Query | null | undefined {
  const { style, next = '', hasMore } = pagination
  if (hasMore !== undefined && valueAt(page.body, hasMore) === false) {
    return undefined
  }
  if (style === 'offset' || style === 'page') {
    return countOn(pagination, query, page)
  }

  const target = style === 'link' ? findNextTarget(page.link) : valueAt(page.body, next)
  if (target === undefined || target === null || target === '') {
    return undefined
  }
  return style === 'cursor'
    ? continueAt(pagination, query, target)
    : followLink(pagination, query, String(target), page.baseUrl)
}

function continueAt({ parameter = '' }: Pagination, query: Query, cursor: unknown): Query | null {
  const isCursor = typeof cursor === 'string' || typeof cursor === 'number'
  const isNew = String(cursor) !== String(query[parameter])
  return isCursor && isNew ? { ...query, [parameter]: cursor } : null
}

/** Returns the query of a link to the next page. A link may name other parameters, and those of the page before. */
function followLink(
  { parameter }: Pagination,
  query: Query,
  target: string,
  baseUrl: string,
): Query | null {
  const url = URL.parse(target, baseUrl)
  if (url === null || url.origin !== new URL(baseUrl).origin) {
    return null
  }
  if (parameter !== undefined) {
    return continueAt({ style: 'link', parameter }, query, url.searchParams.get(parameter))
  }

  const names = [...new Set(url.searchParams.keys())].filter((name) => {
    // Arrays and objects, such as of filter[name], are as they were sent.
    const [stem = ''] = name.split('[')
    return !isRecord(query[stem])
  })
  const texts = names.map((name) => [name, textsOf(url, name)] as const)
  const isNew = texts.some(([name, text]) => String(query[name]) !== String(text))
  // What was sent has its type.
  const sent = ([name, text]: readonly [string, unknown]) => {
    const value = query[name]
    return [name, String(value) === text ? value : text] as const
  }
  return isNew ? { ...query, ...Object.fromEntries(texts.map(sent)) } : null
}

/** Returns the value of a parameter of a URL, or its values. */
function textsOf({ searchParams }: URL, name: string): string | readonly string[] {
  const [first = '', ...others] = searchParams.getAll(name)
  return others.length === 0 ? first : [first, ...others]
}

/** Returns the query of the page after one that is known by a number. */
function countOn(pagination: Pagination, query: Query, page: Page): Query | undefined {
  const { style, parameter = '', start = 0 } = pagination
  const current = Number(query[parameter] ?? start)
  const next = current + (style === 'page' ? 1 : page.count)
  const isLast = page.count === 0 || isEnd(pagination, query, page, next - start)
  return isLast ? undefined : { ...query, [parameter]: next }
}

/** Returns whether so many items, or pages, are all. */
function isEnd(
  { total, totalPages, hasMore, limit = '' }: Pagination,
  query: Query,
  { body, count }: Page,
  done: number,
): boolean {
  const all = valueAt(body, totalPages ?? total ?? hasMore ?? '')
  if (typeof all === 'number') {
    return done >= all
  }
  const size = query[limit]
  return all !== true && typeof size === 'number' && count < size
}
