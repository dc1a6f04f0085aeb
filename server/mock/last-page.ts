import { isObject } from '../description/json.ts'
import type { Pagination } from '../description/pagination.ts'
import { pointerKeys, valueAt } from '../description/pointer.ts'

/** A value to write at a JSON Pointer; undefined removes what is there. */
type Change = readonly [pointer: string | undefined, value: unknown]

/**
 * Returns a page of an envelope in the ways to say that it is the last one, the plainest first. The first page of
 * a list with cursors is unchanged: its cursor leads to a second page, which is the last.
 */
export function toLastPages(
  body: unknown,
  pagination: Pagination,
  query: Readonly<Record<string, unknown>>,
): readonly unknown[] {
  const { style, cursorParam, nextCursor, nextLink, hasMore } = pagination
  switch (style) {
    case 'cursor':
      return cursorParam !== undefined && Object.hasOwn(query, cursorParam)
        ? endAt(body, nextCursor, hasMore)
        : [body]
    case 'body-link':
      return endAt(body, nextLink, hasMore)
    case 'offset':
    case 'page':
      return [toOnlyPage(body, pagination, query)]
    case 'link':
      return [body]
  }
}

function endAt(body: unknown, next: string | undefined, hasMore: string | undefined) {
  return [null, undefined, ''].map((end) =>
    applyAll(body, [[next, end], ...existing(body, hasMore, false)]),
  )
}

/** Returns the page as the only one, or as an empty one behind it. */
function toOnlyPage(
  body: unknown,
  { style, items, offsetParam = '', hasMore, total, totalPages }: Pagination,
  query: Readonly<Record<string, unknown>>,
): unknown {
  const foundItems = valueAt(body, `#${items}`)
  const list: readonly unknown[] = Array.isArray(foundItems) ? foundItems : []
  const first = style === 'page' ? 1 : 0
  const isBehind = Number(query[offsetParam] ?? first) > first
  return applyAll(body, [
    [items, isBehind ? [] : list],
    ...existing(body, hasMore, false),
    ...existing(body, total, list.length),
    ...existing(body, totalPages, 1),
  ])
}

/** Returns a change of a value that is there. */
function existing(body: unknown, pointer: string | undefined, value: unknown): readonly Change[] {
  const isThere = pointer !== undefined && valueAt(body, `#${pointer}`) !== undefined
  return isThere ? [[pointer, value]] : []
}

function applyAll(body: unknown, changes: readonly Change[]): unknown {
  return changes.reduce((changed, [pointer, value]) => {
    return pointer === undefined ? changed : withValueAt(changed, pointerKeys(pointer), value)
  }, body)
}

/** Returns a copy of a body with another value where some keys lead. */
function withValueAt(body: unknown, keys: readonly string[], value: unknown): unknown {
  const [key, ...innerKeys] = keys
  if (key === undefined) {
    return value
  }
  if (!isObject(body)) {
    return body
  }
  const changed = Object.entries({ ...body, [key]: withValueAt(body[key], innerKeys, value) })
  return Object.fromEntries(changed.filter(([, each]) => each !== undefined))
}
