import { Refusal } from './answer/refusal.ts'
import type { AnyReply } from './answer/reply.ts'
import type { Request } from './exchange.ts'

/** What the service answers beside its contract, by path. */
export type Pages = Readonly<Record<string, () => AnyReply | Promise<AnyReply>>>

/** The methods that every page supports. */
export const pageMethods = 'GET, HEAD, OPTIONS'

/** Answers a request for a page; undefined when there is no page at its path. */
export function answerPage(pages: Pages, request: Request, path: string) {
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined
  if (page === undefined) return undefined
  if (request.method === 'GET' || request.method === 'HEAD') return page()
  const headers = { Allow: pageMethods }
  if (request.method === 'OPTIONS') return { status: 204, headers }
  const message = `This path does not support ${request.method}.`
  throw new Refusal({ status: 405, code: 'method_not_allowed' }, message, { headers })
}
