import type { Call } from './call.ts'
import type { Course } from './course.ts'
import { unexpected } from './fetch-result.ts'

const link = /<([^<>]*)>((?:\s*;\s*[\w*-]+\s*=\s*(?:"[^"]*"|[^\s",;]*))*)/g
const parameter = /;\s*([\w*-]+)\s*=\s*("[^"]*"|[^\s",;]*)/g

/**
 * The query that gets the next page, from the `Link` field of an answer (RFC 8288); undefined where
 * there is none. Throws an `AnimalStoreError` when the link leads elsewhere or nowhere new.
 */
export function readNextQuery(
  course: Course,
  query: Call['query'],
  response: Response,
): Call['query'] | undefined {
  const links = [...(response.headers.get('link') ?? '').matchAll(link)]
  const next = links.find(([, , parameters = '']) => isNext(parameters))
  if (next === undefined) return undefined
  const name = course.row?.paginatedBy ?? ''
  const cursor = readCursor(next[1] ?? '', course.url, name)
  if (cursor !== null && cursor !== query[name]) return { ...query, [name]: cursor }
  throw unexpected(course, response, 'links to a next page elsewhere, or to none')
}

function isNext(parameters: string): boolean {
  const relation = [...parameters.matchAll(parameter)].find(([, name]) => /^rel$/i.test(name ?? ''))
  return /(?:^|["\s])next(?:["\s]|$)/i.test(relation?.[2] ?? '')
}

function readCursor(target: string, url: string, name: string): string | null {
  try {
    const { origin, searchParams } = new URL(target, url)
    return origin === new URL(url).origin ? searchParams.get(name) : null
  } catch {
    return null
  }
}
