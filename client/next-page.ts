import type { Call } from './call.ts'
import type { Course } from './course.ts'
import { unexpected } from './fetch-result.ts'
import type { AnyPage } from './pages.ts'

// A link-value of the service, or any other whose texts do not look like links themselves.
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
  const link = response.headers.get('link')
  const [, target] = (link && nextLink.exec(link)) || []
  if (target === undefined) return undefined
  const name = course.row.cursor ?? ''
  const cursor = readCursor(target, course.line.baseUrl, name)
  if (cursor !== null && cursor !== query[name]) return { ...query, [name]: cursor }
  throw unexpected(course, response, 'has a wrong next link')
}

function readCursor(target: string, baseUrl: string, name: string): string | null {
  try {
    const { origin, searchParams } = new URL(target, baseUrl)
    return origin === new URL(baseUrl).origin ? searchParams.get(name) : null
  } catch {
    return null
  }
}
