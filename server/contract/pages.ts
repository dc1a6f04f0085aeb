import { type RequestHandler, Router } from 'express'
import type { AnyResponse } from './any-response.ts'
import { pageMethods as allow } from './cors.ts'
import { rejectMethod } from './routes.ts'
import type { Send } from './send.ts'

/** Responses outside the description, by path. */
export type Pages = Readonly<Record<string, () => AnyResponse | Promise<AnyResponse>>>

/** Makes an Express route of every page. */
export function servePages(
  pages: Pages,
  send: Send,
  preflight: (allow: string) => RequestHandler,
): Router {
  const router = Router({ caseSensitive: true, strict: true })
  for (const [path, toErrorResponse] of Object.entries(pages)) {
    const route = router.route(path)
    route.get(async (_request, response) => send(response, await toErrorResponse()))
    route.options(preflight(allow), (_request, response) =>
      send(response, { status: 204, headers: { Allow: allow } }),
    )
    route.all(rejectMethod(allow))
  }
  return router
}
