import { createError, responseError } from './errors.ts'
import { findNextTarget } from './link-header.ts'
import {
  createList,
  type ListCall,
  type Pagination,
  type QueryPage,
  type ReadPage,
} from './pagination.ts'
import type { Query } from './parameters.ts'
import { isRecord } from './record.ts'

/** Creates a list with pages in any style, whose items may be in an envelope. */
export function createAnyList(call: ListCall, pagination: Pagination) {
  const { style } = pagination
  const isCounted = style === 'offset' || style === 'page'
  const check = (page: QueryPage, previous: QueryPage) => {
    // As if the service ignored the query.
    const isRepeated = page.next && JSON.stringify(page) === JSON.stringify(previous)
    if (isCounted && isRepeated) {
      const message = `${call.operationId} has the same page twice`
      throw createError(call, message, { code: 'unexpected_response' })
    }
  }
  return createList(call, createReader(pagination), check)
}

function createReader(pagination: Pagination): ReadPage {
  const { items: pointer = '' } = pagination
  return (body, call, query, response) => {
    const value = valueAt(body, pointer)
    // An envelope may omit an empty list.
    const items = isRecord(body) ? (value ?? []) : value
    if (!Array.isArray(items)) {
      throw responseError(call, response)
    }

    const link = response.headers.get('link') ?? ''
    const page = { body, count: items.length, link, baseUrl: call.baseUrl }
    const next = nextQuery(pagination, query, page)
    if (next === null) {
      throw responseError(call, response, undefined, ' with an invalid next link')
    }
    return pointer === ''
      ? Object.assign(items, { next })
      : Object.assign([...items], { body, next })
  }
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
function valueAt(body: unknown, pointer: string): unknown {
  const [, ...tokens] = pointer.split('/')
  return tokens.reduce((value: unknown, token) => {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
  }, body)
}

/** Returns the query of the next page: undefined after the last one, null where the page names none that is new. */
function nextQuery(pagination: Pagination, query: Query, page: Page): Query | null | undefined {
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
  pagination: Pagination,
  query: Query,
  target: string,
  baseUrl: string,
): Query | null {
  const url = parseTarget(target, baseUrl)
  if (url === undefined) {
    return null
  }
  if (pagination.parameter !== undefined) {
    return continueAt(pagination, query, url.searchParams.get(pagination.parameter))
  }

  const names = [...new Set(url.searchParams.keys())].filter((name) => {
    // Arrays and objects, such as that of filter[name], stay as the caller gave them.
    const [stem = ''] = name.split('[')
    return !isRecord(query[stem])
  })
  const texts = names.map((name) => [name, textsOf(url, name)] as const)
  const isNew = texts.some(([name, text]) => String(query[name]) !== String(text))
  // A value that the caller gave keeps its type: in the link, it is a text.
  const toTyped = ([name, text]: readonly [string, unknown]) => {
    const value = query[name]
    return [name, String(value) === text ? value : text] as const
  }
  return isNew ? { ...query, ...Object.fromEntries(texts.map(toTyped)) } : null
}

/** Returns the URL of a link; undefined if it is invalid, or leads to another service. */
function parseTarget(target: string, baseUrl: string): URL | undefined {
  try {
    const url = new URL(target, baseUrl)
    return url.origin === new URL(baseUrl).origin ? url : undefined
  } catch {
    return undefined
  }
}

/** Returns the value of a parameter of a URL, or its values. */
function textsOf({ searchParams }: URL, name: string): string | readonly string[] {
  const [first = '', ...otherTexts] = searchParams.getAll(name)
  return otherTexts.length === 0 ? first : [first, ...otherTexts]
}

/** Returns the query of the page after one that is known by a number. */
function countOn(pagination: Pagination, query: Query, page: Page): Query | undefined {
  const { style, parameter = '', start = 0 } = pagination
  const current = Number(query[parameter] ?? start)
  const next = current + (style === 'page' ? 1 : page.count)
  const isLast = page.count === 0 || isEnd(pagination, query, page, next - start)
  return isLast ? undefined : { ...query, [parameter]: next }
}

/** Returns whether the items, or pages, that were read are all. */
function isEnd(
  { total, totalPages, hasMore, limit = '' }: Pagination,
  query: Query,
  { body, count }: Page,
  done: number,
): boolean {
  const stated = valueAt(body, totalPages ?? total ?? hasMore ?? '')
  if (typeof stated === 'number') {
    return done >= stated
  }
  const hasMorePages = stated === true
  const size = query[limit]
  return !hasMorePages && typeof size === 'number' && count < size
}
