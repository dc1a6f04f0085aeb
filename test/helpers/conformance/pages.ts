import {
  isObject,
  type Json,
  type JsonObject,
  type Operation,
  toList,
  toObject,
} from './description.ts'

/** How many pages are requested of a list. */
const maxPages = 4

/** What came with a page. */
interface Page {
  readonly query: URLSearchParams
  readonly body: Json
  readonly link: string
}

/**
 * Requests some pages of a list, each as the page before says; returns what is wrong, undefined for an operation
 * without pages.
 */
export async function walkPages(
  operation: Operation,
  path: string,
  send: (path: string) => Promise<Response>,
): Promise<string | undefined> {
  const rule = readRule(operation)
  if (rule === undefined) {
    return undefined
  }

  const [pathname = '', search] = path.split('?')
  let query: URLSearchParams | undefined = new URLSearchParams(search)
  for (let count = 1; count <= maxPages && query !== undefined; count++) {
    const target: string = `${pathname}?${query}`
    const response = await send(target)
    if (!response.ok) {
      return `page ${count} is ${response.status}: ${target}`
    }

    const body: Json = JSON.parse(await response.text())
    if (!Array.isArray(valueAt(body, rule['items']))) {
      return `page ${count} has no items: ${target}`
    }
    const next = nextQuery(rule, { query, body, link: response.headers.get('link') ?? '' })
    if (String(next) === String(query)) {
      return `page ${count} leads to itself: ${target}`
    }
    query = next
  }
  return undefined
}

function readRule({ method, node }: Operation): JsonObject | undefined {
  const rule = node['x-redoclyPagination']
  if (method.toLowerCase() !== 'get') {
    return undefined
  }
  if (isObject(rule)) {
    return rule
  }
  return node['x-paginated-by'] === undefined ? undefined : { style: 'link', items: '' }
}

/** Returns the query of the next page; undefined after the last one. */
function nextQuery(rule: JsonObject, { query, body, link }: Page): URLSearchParams | undefined {
  const { style, cursorParam, offsetParam, nextCursor, nextLink } = rule
  const [, target = ''] = /<([^>]*)>; *rel="?next/.exec(link) ?? []
  switch (style) {
    case 'link':
      return queryOf(target)
    case 'body-link':
      return queryOf(valueAt(body, nextLink) ?? '')
    case 'cursor':
      return withValue(query, cursorParam, valueAt(body, nextCursor))
    default: {
      const count = toList(valueAt(body, rule['items'])).length
      const first = style === 'page' ? 1 : 0
      const current = Number(query.get(String(offsetParam)) ?? first)
      const next = current + (style === 'page' ? 1 : count)
      return count === 0 ? undefined : withValue(query, offsetParam, next)
    }
  }
}

function queryOf(target: Json): URLSearchParams | undefined {
  return target === '' ? undefined : new URL(String(target), 'http://a').searchParams
}

function withValue(query: URLSearchParams, name: Json | undefined, value: Json | undefined) {
  if (value === undefined || value === null || value === '') {
    return undefined
  }
  const next = new URLSearchParams(query)
  next.set(String(name), String(value))
  return next
}

function valueAt(body: Json, pointer: Json | undefined): Json | undefined {
  const [, ...keys] = String(pointer ?? '').split('/')
  return keys.reduce((value: Json | undefined, key) => toObject(value)[key], body)
}
