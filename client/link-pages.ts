import { responseError } from './errors.ts'
import { findNextTarget } from './link-header.ts'
import { createList, type ListCall, type Pagination } from './pagination.ts'

/** Creates a list whose responses are the items, and have a `Link` with the cursor of the next page (RFC 8288). */
export function createLinkedList(listCall: ListCall, { parameter = '' }: Pagination) {
  return createList(listCall, (items, call, query, response) => {
    if (!Array.isArray(items)) {
      throw responseError(call, response)
    }

    const target = findNextTarget(response.headers.get('link') ?? '')
    if (target === undefined) {
      return Object.assign(items, { next: undefined })
    }

    const cursor = readCursor(target, call.baseUrl, parameter)
    if (cursor === null || cursor === String(query[parameter])) {
      throw responseError(call, response, undefined, ' with an invalid next link')
    }
    return Object.assign(items, { next: { ...query, [parameter]: cursor } })
  })
}

/** Returns a parameter of a URL; null if it has none, or if the URL is invalid or of another service. */
function readCursor(target: string, baseUrl: string, name: string): string | null {
  try {
    const { origin, searchParams } = new URL(target, baseUrl)
    return origin === new URL(baseUrl).origin ? searchParams.get(name) : null
  } catch {
    return null
  }
}
