import { type RequestHandler, type Response, Router } from 'express'
import { pageMethods } from './cors.ts'
import { deprecationHeaders } from './deprecation.ts'
import { ApiError } from './errors.ts'
import type { Operation } from './operation.ts'
import type { Send } from './send.ts'

export interface RouteOptions {
  readonly operations: Readonly<Record<string, Operation>>
  readonly basePath: string
  /** Runs for every request under the base path. */
  readonly authenticate: RequestHandler
  /** Runs for every operation after that; the last one sends the response. */
  readonly call: readonly RequestHandler[]
  /** Responds to a CORS preflight for a path with these methods, or calls `next`. */
  readonly preflight: (allow: string) => RequestHandler
  readonly send: Send
}

type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace'

/**
 * Makes an Express route of every operation. Undeclared methods are 405, and `OPTIONS` is 204, both
 * with `Allow`; other paths are 404.
 */
export function createRoutes(options: RouteOptions): RequestHandler {
  const { operations, basePath, authenticate, call, preflight, send } = options
  const createRouter = () => Router({ caseSensitive: true, strict: true })
  // Express tries routes one after the other, so those that begin alike have a router of their own.
  const routers = new Map<string, Router>()
  const others = createRouter()
  const byPath = Map.groupBy(Object.values(operations), ({ path }) => path)
  for (const [path, ofPath] of [...byPath].sort(concreteFirst)) {
    const allow = allowedMethods(ofPath)
    const start = firstSegment(path)
    const router = start.includes('{') ? others : (routers.get(start) ?? createRouter())
    if (router !== others) routers.set(start, router)
    const route = router.route(toExpressPath(path))
    for (const operation of ofPath) {
      const headers = deprecationHeaders(operation, operations, basePath)
      const identify: RequestHandler = (_request, { locals }, next) => {
        locals.operation = operation
        Object.assign(locals.headers, headers)
        next()
      }
      const method = operation.method as Method
      const first = method === 'options' ? [preflight(allow), identify] : [identify]
      route[method](...first, authenticate, ...call)
    }
    route.options(preflight(allow), authenticate, (_request, response) =>
      send(response, { status: 204, headers: { Allow: allow } }),
    )
    route.all(authenticate, rejectMethod(allow))
  }
  others.use(preflight(pageMethods), authenticate, rejectPath)
  return function findRoute(request, response, next) {
    const router = routers.get(firstSegment(request.url)) ?? others
    router(request, response, (error?: unknown) => {
      if (router === others || error) next(error)
      else others(request, response, next)
    })
  }
}

/** Returns the first segment of a path or of a URL, with its slash. */
function firstSegment(url: string): string {
  return /^\/[^/?]*/.exec(url)?.[0] ?? ''
}

/** Rejects a method that a path does not have: 405 with `Allow`. */
export function rejectMethod(allow: string): RequestHandler {
  return function methodNotAllowed({ method }) {
    const message = `This path does not support ${method}.`
    const headers = { Allow: allow }
    throw new ApiError({ status: 405, code: 'method_not_allowed' }, message, { headers })
  }
}

/** Rejects a path that does not exist: 404. */
export function rejectPath(_request: unknown, _response: Response): never {
  throw new ApiError({ status: 404, code: 'not_found' }, 'There is no such path.')
}

function allowedMethods(operations: readonly Operation[]): string {
  const methods = new Set(operations.map(({ method }) => method.toUpperCase()))
  methods.add('OPTIONS')
  if (methods.has('GET')) methods.add('HEAD')
  return [...methods].sort().join(', ')
}

/** Orders a concrete path before a templated one that it matches, too (OpenAPI 3.1, "Paths Object"). */
function concreteFirst([one]: [string, unknown], [other]: [string, unknown]): number {
  const [ours, theirs] = [one.split('/'), other.split('/')]
  for (const [index, segment] of ours.entries()) {
    const difference = Number(segment.includes('{')) - Number(theirs[index]?.includes('{') ?? false)
    if (difference !== 0) return difference
  }
  return 0
}

/** Converts a path template of OpenAPI, such as `/tools/{toolId}`, to one of Express. */
function toExpressPath(path: string): string {
  return path
    .split(/(\{[^{}]+\})/)
    .map((part) =>
      part.startsWith('{')
        ? `:${JSON.stringify(part.slice(1, -1))}`
        : part.replaceAll(/[{}()[\]+?!:*\\]/g, '\\$&'),
    )
    .join('')
}
