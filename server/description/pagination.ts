import type { Operation, Response } from './description.ts'
import { childOf, type Fields } from './fields.ts'
import { isObject, toObject, toText } from './json.ts'
import type { Located, Location } from './location.ts'
import { isJsonType } from './media-types.ts'
import { pointerKeys } from './pointer.ts'
import { partsOf, type References } from './schemas.ts'

/** The extension of an operation with its pagination, which the client generator of Redocly reads, too. */
export const paginationKey = 'x-redoclyPagination'

/** The short form, for a plain list with a `Link` to the next page: the name of the cursor. */
const shortKey = 'x-paginated-by'

/** Both forms. */
export const paginationKeys: readonly string[] = [paginationKey, shortKey]

/** How a client gets from one page to the next one. */
export type PaginationStyle = 'cursor' | 'offset' | 'page' | 'link' | 'body-link'

/** What a list says of its pages. Pointers are JSON Pointers (RFC 6901) in the body of a page. */
export interface PaginationRule {
  readonly style: PaginationStyle
  /** Where the items are; the empty text if the body is the list. */
  readonly items: string
  /** The query parameter with the cursor. */
  readonly cursorParam?: string | undefined
  /** The query parameter with the number of items before the page, or with the number of the page. */
  readonly offsetParam?: string | undefined
  /** The query parameter with the number of items of a page. */
  readonly limitParam?: string | undefined
  /** Where the cursor of the next page is. */
  readonly nextCursor?: string | undefined
  /** Where the URL of the next page is. */
  readonly nextLink?: string | undefined
  /** Where it says whether there is a next page. */
  readonly hasMore?: string | undefined
  /** Where the number of all items is. */
  readonly total?: string | undefined
  /** Where the number of all pages is. */
  readonly totalPages?: string | undefined
}

/** The pagination of an operation. */
export interface Pagination extends PaginationRule {
  readonly at: Location
  /** The extension that declares it. */
  readonly key: string
  /** The rule as it is written. */
  readonly value: unknown
}

/** What each style needs, beside `items`. */
const neededKeys: Readonly<Record<PaginationStyle, readonly (keyof PaginationRule)[]>> = {
  cursor: ['cursorParam', 'nextCursor'],
  offset: ['offsetParam'],
  page: ['offsetParam'],
  link: [],
  'body-link': ['nextLink'],
}

export const parameterKeys = ['cursorParam', 'offsetParam', 'limitParam'] as const
export const pointerNames = [
  'items',
  'nextCursor',
  'nextLink',
  'hasMore',
  'total',
  'totalPages',
] as const
export const paginationStyles: readonly string[] = Object.keys(neededKeys)

/** Reads the pagination of an operation; undefined if it declares none. */
export function readPagination(fields: Fields): Pagination | undefined {
  const short = fields.take(shortKey)
  const full = fields.take(paginationKey)
  if (full.value !== undefined) {
    return readPaginationRule(full)
  }
  if (short.value === undefined) {
    return undefined
  }

  const rule = { style: 'link', items: '', cursorParam: String(short.value) } as const
  return { ...rule, at: short, key: shortKey, value: short.value }
}

/** Reads pagination in its full form. */
export function readPaginationRule(node: Located): Pagination {
  const { value } = node
  const rule = toObject(value)
  const names = [...parameterKeys, ...pointerNames]
  const texts = names.flatMap((name) => {
    const text = toText(rule[name])
    return text === undefined ? [] : [[name, text] as const]
  })
  const style = toStyle(rule['style'])
  return { items: '', ...Object.fromEntries(texts), style, at: node, key: paginationKey, value }
}

/** Returns a style; another text is none, which `paginationProblems` reports. */
function toStyle(value: unknown): PaginationStyle {
  const styles: readonly PaginationStyle[] = ['cursor', 'offset', 'page', 'body-link']
  return styles.find((style) => style === value) ?? 'link'
}

/** Returns what pagination says, however it is written. */
export function ruleOf(pagination: Pagination | undefined): PaginationRule | undefined {
  if (pagination === undefined) {
    return undefined
  }
  const { at: _at, key: _key, value: _value, ...rule } = pagination
  return rule
}

/** Returns the response that is a page: the first success with JSON. */
function pageOf({ responses }: Operation): Response | undefined {
  return responses.find(({ isSuccess, content }) => {
    return isSuccess && content.some(({ name }) => isJsonType(name))
  })
}

/** Returns the schema of a page; undefined if there is none. */
export function pageSchemaOf(operation: Operation): Located | undefined {
  return pageOf(operation)?.content.find(({ name }) => isJsonType(name))?.schema
}

/** Returns what is wrong with the pagination of an operation. */
export function paginationProblems(
  operation: Operation,
  references: References,
): readonly string[] {
  const { pagination } = operation
  if (pagination === undefined || pagination.key === shortKey) {
    return []
  }

  const rule = toObject(pagination.value)
  const { style } = rule
  if (!isObject(pagination.value) || !paginationStyles.includes(String(style))) {
    return [`The style of pagination is one of ${paginationStyles.join(', ')}.`]
  }
  const missing = ['items', ...neededKeys[pagination.style]].filter((name) => !(name in rule))
  if (missing.length > 0) {
    return missing.map((name) => `Pagination of the style ${style} needs ${name}; add it.`)
  }

  const page = pageSchemaOf(operation)
  const headers = pageOf(operation)?.headers ?? []
  const hasLink = headers.some(({ name }) => name.toLowerCase() === 'link')
  const inQuery = operation.parameters.filter(({ location }) => location === 'query')
  const query = inQuery.map(({ name }) => name)
  const undeclared = parameterKeys.flatMap((key) => {
    const name = pagination[key]
    const isDeclared = name === undefined || query.includes(name)
    return isDeclared ? [] : [`There is no query parameter ${name} for ${key}; declare it.`]
  })
  const pointers = pointerNames.flatMap((name) => {
    return pointerProblems(name, pagination[name], page, references)
  })
  const noLink = 'The response of a page has a Link header that leads to the next page; declare it.'
  return [...undeclared, ...pointers, ...(style === 'link' && !hasLink ? [noLink] : [])]
}

function pointerProblems(
  name: string,
  pointer: string | undefined,
  page: Located | undefined,
  references: References,
): readonly string[] {
  if (pointer === undefined) {
    return []
  }
  if (pointer !== '' && !pointer.startsWith('/')) {
    return [`${name} is a JSON Pointer, such as /items, or empty for the whole body.`]
  }

  const schema = page && schemaAtPointer(page, pointer, references)
  if (schema === undefined) {
    return [`${name} leads to ${pointer}, which the body of a page does not have.`]
  }
  const isList = partsOf(schema, references).some(({ value }) => 'items' in toObject(value))
  return name === 'items' && !isList ? [`items leads to ${pointer}, which is no array.`] : []
}

/** Returns the schema of what a JSON Pointer leads to in a value of a schema; undefined if there is none. */
export function schemaAtPointer(
  schema: Located,
  pointer: string,
  references: References,
): Located | undefined {
  let current: Located | undefined = schema
  for (const key of pointerKeys(pointer)) {
    const parts: readonly Located[] = current === undefined ? [] : partsOf(current, references)
    const members = parts.map((part) => childOf(childOf(part, 'properties'), key))
    current = members.find(({ value }) => value !== undefined)
  }
  return current
}

/** Returns the schema of the items of a page; undefined if it has none. */
export function itemSchemaOf(
  page: Located,
  items: string,
  references: References,
): Located | undefined {
  const list = schemaAtPointer(page, items, references)
  const parts = list === undefined ? [] : partsOf(list, references)
  return parts.map((part) => childOf(part, 'items')).find(({ value }) => value !== undefined)
}
