import type { ResponseHeaders } from '../contract/headers.ts'
import type { RequestValues } from '../contract/parameters.ts'
import { isObject, toObject } from '../description/json.ts'

type Values = Readonly<Record<string, unknown>>

/** Names of parameters for the number of items, in lower case without punctuation. */
const pageSizeNames = ['limit', 'pagelimit', 'pagesize', 'perpage', 'maxresults', 'maxitems']

/**
 * Returns the example of a successful response as the query asks for it: of a list, or of an object with
 * one list, the items that have the value of each parameter with the name of their property, and as many
 * as a parameter such as `limit` allows.
 */
export function selectItems(body: unknown, query: Values): unknown {
  if (Array.isArray(body)) {
    return limitItems(filterItems(body, query), query)
  }
  if (!isObject(body)) {
    return body
  }
  const lists = Object.entries(body).filter(([, value]) => Array.isArray(value))
  const [only, ...otherLists] = lists
  if (only === undefined || otherLists.length > 0) {
    return body
  }
  const [name, list] = only
  return { ...body, [name]: selectItems(list, query) }
}

function filterItems(items: readonly unknown[], query: Values): readonly unknown[] {
  let kept = items
  for (const [name, value] of Object.entries(query)) {
    const isProperty = items.some((item) => isObject(item) && Object.hasOwn(item, name))
    if (!isProperty) {
      continue
    }
    const values: readonly unknown[] = [value].flat()
    const fitting = kept.filter((item) => isObject(item) && values.includes(item[name]))
    // Where no example has the value, the examples get it: an empty page would show nothing of the design.
    const changed = kept.map((item) => (isObject(item) ? { ...item, [name]: values[0] } : item))
    kept = fitting.length > 0 ? fitting : changed
  }
  return kept
}

function limitItems(items: readonly unknown[], query: Values): readonly unknown[] {
  const size = Object.entries(query).find(([name]) => isPageSize(name))?.[1]
  return typeof size === 'number' ? items.slice(0, size) : items
}

function isPageSize(name: string): boolean {
  return pageSizeNames.includes(name.toLowerCase().replaceAll(/[^a-z]/g, ''))
}

/**
 * Returns the example of a resource with the values of the path that was requested: of parameters with the
 * name of a property, and of one at the end of the path, such as `{bookId}`, as its `id`.
 */
export function identifyResource(body: unknown, template: string, path: Values): unknown {
  if (!isObject(body)) {
    return body
  }
  const identified: Record<string, unknown> = { ...body }
  for (const [name, value] of Object.entries(path)) {
    const isOwnId = template.endsWith(`{${name}}`) && /id$/i.test(name)
    const property = isOwnId && !Object.hasOwn(body, name) ? 'id' : name
    const isText = typeof value !== 'object'
    if (isText && typeof body[property] === typeof value) {
      identified[property] = value
    }
  }
  return identified
}

/** A path parameter of an operation, and its examples. */
interface PathParameter {
  readonly name: string
  readonly examples: readonly unknown[]
}

/**
 * Returns the example of an error about a path as the request sent that path: in each text, the example of
 * a path parameter is replaced by its value. With one integer in path and text, that integer is meant.
 */
export function namePath(
  body: unknown,
  parameters: readonly PathParameter[],
  path: RequestValues['path'],
): unknown {
  const [only, ...otherParameters] = parameters
  const isInteger =
    only !== undefined && otherParameters.length === 0 && Number.isInteger(path[only.name])
  return mapTexts(body, (text) => {
    const integers = text.match(/(?<![\w.-])\d+(?![\w-]|\.\d)/g) ?? []
    if (isInteger && integers.length === 1) {
      return text.replace(String(integers[0]), () => String(path[only.name]))
    }
    return parameters.reduce((named, parameter) => {
      const value = String(path[parameter.name])
      const words = exampleWords(parameter)
      return words.reduce((replaced, word) => replaceWord(replaced, word, value), named)
    }, text)
  })
}

function exampleWords({ examples }: PathParameter): readonly string[] {
  return examples.flatMap((value) =>
    typeof value === 'string' || typeof value === 'number' ? [String(value)] : [],
  )
}

function replaceWord(text: string, word: string, other: string): string {
  const words = text.split(/([^\p{L}\p{N}_-]+)/u)
  return words.map((each) => (each === word ? other : each)).join('')
}

/** Returns a copy of a JSON value with other texts. */
function mapTexts(node: unknown, convert: (text: string) => string): unknown {
  if (typeof node === 'string') {
    return convert(node)
  }
  if (Array.isArray(node)) {
    return node.map((item) => mapTexts(item, convert))
  }
  if (!isObject(node)) {
    return node
  }
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, mapTexts(value, convert)]),
  )
}

/** The `WWW-Authenticate` header of bearer tokens for each error code of a 401. */
const challenges = {
  missing_api_key: 'Bearer',
  invalid_api_key: 'Bearer error="invalid_token"',
}

/**
 * Returns the headers of an error that its body implies: after how many seconds to retry, how to
 * authenticate, and that no request is left.
 */
export function impliedHeaders(status: number, body: unknown): ResponseHeaders {
  const { code, message } = toErrorBody(body)
  const headers: ResponseHeaders = {}
  const retryAfter = secondsIn(message)
  if (retryAfter !== undefined) {
    headers['Retry-After'] = retryAfter
  }
  const challenge = Object.entries(challenges).find(([ofCode]) => ofCode === code)?.[1]
  if (challenge !== undefined) {
    headers['WWW-Authenticate'] = challenge
  }
  if (status !== 429) {
    return headers
  }
  const [, limit] = /\blimit of (\d+)\b/.exec(message) ?? []
  if (limit !== undefined) {
    headers['X-RateLimit-Limit'] = Number(limit)
  }
  headers['X-RateLimit-Remaining'] = 0
  if (retryAfter !== undefined) {
    headers['X-RateLimit-Reset'] = Math.ceil(Date.now() / 1000) + retryAfter
  }
  return headers
}

function toErrorBody(body: unknown) {
  const { code, message } = toObject(body)
  return { code, message: typeof message === 'string' ? message : '' }
}

/** Returns the seconds that a text asks to wait, such as `Retry in 30 seconds.` */
function secondsIn(text: string): number | undefined {
  const [, number, unit = ''] = /\bretry in (\d+) (s|seconds?|minutes?)\b/i.exec(text) ?? []
  if (number === undefined) {
    return undefined
  }
  return Number(number) * (unit.toLowerCase().startsWith('minute') ? 60 : 1)
}

/** Returns the link to the next page of a list: that of its example, with the other parameters that were sent. */
export function linkToNextPage(
  example: string,
  cursorName: string,
  query: Values,
  hrefWith: (query: Values) => string,
): string {
  const [, target = ''] = /<([^<>]*)>/.exec(example) ?? []
  const cursor = URL.parse(target, 'http://a')?.searchParams.get(cursorName)
  if (cursor === undefined || cursor === null) {
    return example
  }
  return `<${hrefWith({ ...query, [cursorName]: cursor })}>; rel="next"`
}
