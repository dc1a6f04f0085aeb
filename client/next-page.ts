import type { Call } from './call.ts'
import type { Course } from './course.ts'
import { unexpected } from './fetch-result.ts'
import type { AnyPage } from './pages.ts'

// What stands between quotes may look like anything; of that, only the relation counts.
const otherTexts = /(?<![\w*-])(?!rel\b)[\w*-]+\s*=\s*"[^"]*"/gi
const nextLink = /<([^<>]*)>[^<]*?;\s*rel\s*=\s*"?(?:[^",;]*\s)?next\b(?!-)/i

/** Puts the query that gets the next page on a page; throws an `AnimalStoreError` if it is none. */
export function toPage(
  course: Course,
  query: Call['query'],
  content: unknown,
  response: Response,
): AnyPage {
  if (!Array.isArray(content)) throw unexpected(course, response)
  const items: unknown[] = content
  return Object.assign(items, { next: readNextQuery(course, query, response) })
}

// From the `Link` field (RFC 8288); undefined on the last page.
function readNextQuery(
  course: Course,
  query: Call['query'],
  response: Response,
): Call['query'] | undefined {
  const links = response.headers.get('link')?.replace(otherTexts, '')
  const [, target] = (links && nextLink.exec(links)) || []
  if (target === undefined) return undefined
  const name = course.cursor ?? ''
  const cursor = readCursor(target, course.baseUrl, name)
  if (cursor !== null && cursor !== query[name]) return { ...query, [name]: cursor }
  throw unexpected(course, response, 'links to a next page elsewhere, or to none')
}

function readCursor(target: string, baseUrl: string, name: string): string | null {
  try {
    const { origin, searchParams } = new URL(target, baseUrl)
    return origin === new URL(baseUrl).origin ? searchParams.get(name) : null
  } catch {
    return null
  }
}
