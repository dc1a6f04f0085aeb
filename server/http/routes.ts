import { type IRoute, type RequestHandler, Router } from 'express'
import { ApiError } from '../contract/errors.ts'
import type { CallableHandler } from '../contract/handler.ts'
import type { AnyResponse } from '../contract/handler-response.ts'
import { createSuccessorLink, deprecationHeaders } from '../contract/headers.ts'
import type { Operation } from '../contract/operation.ts'
import { toExpressPath } from '../contract/path-template.ts'
import { fitToClient } from './compressed-content.ts'
import { HandlerContext } from './handler-context.ts'
import type { Send } from './send.ts'

export interface RouteOptions {
  readonly operations: Readonly<Record<string, Operation>>
  readonly basePath: string
  /** Whether the case of a path and a slash at its end matter. */
  readonly paths: 'exact' | 'lenient'
  /** Runs for every request under the base path. */
  readonly authenticate: RequestHandler
  /** Creates what runs after that for an operation that is served; the last one sends the response. */
  readonly call: (operation: Operation) => readonly RequestHandler[]
  readonly preflight: RequestHandler
  /** Runs, authenticated, for requests that match no operation; without it, they are 405 or 404. */
  readonly undeclared?: readonly RequestHandler[] | undefined
  readonly send: Send
}

type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace' | 'query'

/** A route with a method that the types of Express do not have. */
type Route = IRoute & { readonly query: IRoute['get'] }

/**
 * Returns a router with a route for each operation. Undeclared methods are 405, and `OPTIONS` is 204, both
 * with `Allow`; other paths are 404.
 */
export function createRoutes(options: RouteOptions): Router {
  const { paths, preflight, authenticate, undeclared } = options
  const router = createRouter()
  addOperations(router, options)
  if (paths === 'lenient') {
    // A path that is declared in this very form is found before.
    const lenient = Router({ caseSensitive: false, strict: false })
    addOperations(lenient, options)
    router.use(lenient)
  }
  router.use(preflight, authenticate, ...(undeclared ?? [rejectPath]))
  return router
}

/** Adds a route for each operation to a router. */
function addOperations(router: Router, options: RouteOptions): void {
  const { operations, basePath, authenticate, call, preflight, undeclared, send } = options
  const byPath = Map.groupBy(Object.values(operations), ({ path }) => path)
  for (const [path, ofPath] of [...byPath].sort(concreteFirst)) {
    const allow = allowedMethods(ofPath)
    const route = router.route(toExpressPath(path)) as Route
    route.all((_request, { locals }, next) => {
      locals.allow = allow
      next()
    }, preflight)
    for (const operation of ofPath) {
      const headers = deprecationHeaders(operation)
      const linkToSuccessor = createSuccessorLink(operation, operations, basePath)
      const identify: RequestHandler = ({ params }, { locals }, next) => {
        locals.operation = operation
        Object.assign(locals.headers, headers)
        if (linkToSuccessor !== undefined) {
          locals.headers['Link'] = linkToSuccessor(params)
        }
        next()
      }
      // Every step of an operation in one route: to leave a router costs an iteration of the event loop.
      // The table has methods of OpenAPI alone.
      const method = operation.method as Method
      route[method](identify, authenticate, ...call(operation))
    }
    route.options(authenticate, sendAllow(send))
    route.all(authenticate, ...(undeclared ?? [rejectMethod]))
  }
}

/**
 * Returns the middleware that calls the handler of an operation with the validated values, and sends the
 * response.
 */
export function callHandler(
  operation: Operation,
  handlers: Readonly<Record<string, CallableHandler>>,
  send: Send,
): RequestHandler {
  const { operationId } = operation
  const handler = handlers[operationId]
  return async function callHandlerOf(request, response) {
    const { values, uploadedFiles } = response.locals
    if (handler === undefined || values === undefined) {
      throw new Error(`${operationId} has no handler, or its request was not validated.`)
    }

    // A handler may still read files when the client has left.
    using _held = uploadedFiles?.hold()
    const context = new HandlerContext(operation, request, response)
    await send(response, await handler(values, context))
  }
}

/** Creates a response to GET; its body may be a `CompressedContent`. */
export type Page = () => AnyResponse | Promise<AnyResponse>

/** What processes POST at a path. */
export interface Endpoint {
  /** The last one sends the response. */
  readonly steps: readonly RequestHandler[]
  /** Names of header fields that pages of other origins may send, beside those of the description. */
  readonly allowedHeaders: readonly string[]
}

/** What is outside the description, by path. */
export type Pages = Readonly<Record<string, Page | Endpoint>>

/** Returns a router with a route for each page. */
export function servePages(pages: Pages, preflight: RequestHandler, send: Send): Router {
  const router = createRouter()
  for (const [path, page] of Object.entries(pages)) {
    const route = router.route(path)
    if (typeof page === 'function') {
      route.all(preflight).get(createGet(page, send))
    } else {
      route.all(allowPost(page), preflight).post(...page.steps)
    }
    route.options(sendAllow(send)).all(rejectMethod)
  }
  return router
}

function createGet(page: Page, send: Send): RequestHandler {
  return async (request, response) => {
    const created = await page()
    return send(response, await fitToClient(created, request, response))
  }
}

function allowPost({ allowedHeaders }: Endpoint): RequestHandler {
  return (_request, { locals }, next) => {
    locals.allow = 'OPTIONS, POST'
    locals.allowedHeaders = allowedHeaders
    next()
  }
}

/** Rejects a path that does not exist: 404. */
export function rejectPath(): never {
  throw pathNotFound()
}

/** Returns the error of a path that does not exist. */
export function pathNotFound(): ApiError {
  return new ApiError({ status: 404, code: 'not_found' }, 'There is no such path.')
}

/** Returns the middleware that rejects requests to an operation that the service does not serve: 501. */
export function rejectUnserved(reason: string): RequestHandler {
  return () => {
    throw notImplemented(reason)
  }
}

/** Returns the error of an operation that the service does not serve, for a reason. */
export function notImplemented(reason: string): ApiError {
  const message = `The service does not serve this operation: ${reason}.`
  return new ApiError({ status: 501, code: 'not_implemented' }, message)
}

/** Rejects a method that a path does not support: 405. */
export const rejectMethod: RequestHandler = ({ method }, { locals }) => {
  throw methodNotAllowed(method, locals.allow)
}

/** Returns the error of a method that a path does not support; `allow` lists those that it supports. */
export function methodNotAllowed(method: string, allow: string): ApiError {
  const message = `This path does not support ${method}.`
  const headers = { Allow: allow }
  return new ApiError({ status: 405, code: 'method_not_allowed' }, message, { headers })
}

/** Returns the middleware that responds to `OPTIONS`. */
export function sendAllow(send: Send): RequestHandler {
  return (_request, response) => send(response, allowResponse(response.locals.allow))
}

/** Returns the response to `OPTIONS`. */
export function allowResponse(allow: string): AnyResponse {
  return { status: 204, headers: { Allow: allow } }
}

function createRouter(): Router {
  return Router({ caseSensitive: true, strict: true })
}

/** Returns the methods that a path with some operations supports, as in `Allow`. */
export function allowedMethods(operations: readonly Operation[]): string {
  const methods = new Set(operations.map(({ method }) => method.toUpperCase()))
  methods.add('OPTIONS')
  if (methods.has('GET')) {
    methods.add('HEAD')
  }
  return [...methods].sort().join(', ')
}

/** Orders a concrete path before a templated one that it matches, too (OpenAPI 3.1, "Paths Object"). */
function concreteFirst([one]: [string, unknown], [other]: [string, unknown]): number {
  // A template that is a whole segment, or its end, matches more than one with text behind it.
  const withLastLetter = (path: string) =>
    path.replaceAll(/\{[^{}]+\}(?=\/|$)/g, '\uffff\uffff').replaceAll(/\{[^{}]+\}/g, '\uffff')
  return withLastLetter(one) < withLastLetter(other) ? -1 : 1
}
