import { type IRoute, type RequestHandler, Router } from 'express'
import { ApiError } from '../contract/errors.ts'
import type { CallableHandler } from '../contract/handler.ts'
import { type AnyResponse, respond, respondError } from '../contract/handler-response.ts'
import { createSuccessorLink, deprecationHeaders } from '../contract/headers.ts'
import type { Operation } from '../contract/operation.ts'
import { toExpressPath } from '../contract/path-template.ts'
import { encodePath } from '../contract/percent-encoding.ts'
import { writeQuery } from '../contract/query-style.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { Send } from './send.ts'

export interface RouteOptions {
  readonly operations: Readonly<Record<string, Operation>>
  readonly basePath: string
  /** Runs for every request under the base path. */
  readonly authenticate: RequestHandler
  /** Creates what runs after that for an operation that is served; the last one sends the response. */
  readonly call: (operation: Operation) => readonly RequestHandler[]
  readonly preflight: RequestHandler
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
  const { operations, basePath, authenticate, call, preflight, send } = options
  const router = createRouter()
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
      const { unserved } = operation
      const steps = unserved === undefined ? call(operation) : [rejectUnserved(unserved)]
      // Every step of an operation in one route: to leave a router costs an iteration of the event loop.
      // The table has methods of OpenAPI alone.
      const method = operation.method as Method
      route[method](identify, authenticate, ...steps)
    }
    route.options(authenticate, sendAllow(send)).all(authenticate, rejectMethod)
  }
  router.use(preflight, authenticate, rejectPath)
  return router
}

/**
 * Returns the middleware that calls the handler of an operation with the validated values, and sends the
 * response.
 */
export function callHandler(
  { operationId, parameters }: Operation,
  handlers: Readonly<Record<string, CallableHandler>>,
  send: Send,
): RequestHandler {
  const handler = handlers[operationId]
  return async function callHandlerOf(request, response) {
    const { values, caller, path, credentialNames, acceptedMediaType } = response.locals
    if (handler === undefined || values === undefined) {
      throw new Error(`${operationId} has no handler, or its request was not validated.`)
    }
    const prefer = request.headersDistinct['prefer'] ?? []
    function hrefWith(values: Readonly<Record<string, unknown>>): string {
      const shown = Object.entries(values).filter(([name]) => !credentialNames.has(name))
      const query = writeQuery(Object.fromEntries(shown), parameters.query)
      return query === '' ? encodePath(path) : `${encodePath(path)}?${query}`
    }
    const { method } = request
    const fingerprint = (body: unknown) => fingerprintOf(method, response.locals, body)
    const callerId = caller?.id
    const calls = { hrefWith, fingerprint, respond, respondError }
    const context = { caller, callerId, acceptedMediaType, prefer, ...calls }
    send(response, await handler(values, context))
  }
}

/** Responses outside the description, by path. */
export type Pages = Readonly<Record<string, () => AnyResponse | Promise<AnyResponse>>>

/** Returns a router with a route for each page. */
export function servePages(pages: Pages, send: Send): Router {
  const router = createRouter()
  for (const [path, createResponse] of Object.entries(pages)) {
    const get: RequestHandler = async (_request, response) => send(response, await createResponse())
    router.route(path).get(get).options(sendAllow(send)).all(rejectMethod)
  }
  return router
}

/** Rejects a path that does not exist: 404. */
export function rejectPath(): never {
  throw pathNotFound()
}

/** Returns the error of a path that does not exist. */
export function pathNotFound(): ApiError {
  return new ApiError({ status: 404, code: 'not_found' }, 'There is no such path.')
}

/** Returns the middleware of an operation that the service does not serve. */
function rejectUnserved(reason: string): RequestHandler {
  return () => {
    throw notImplemented(reason)
  }
}

/** Returns the error of an operation that the service does not serve, for a reason. */
export function notImplemented(reason: string): ApiError {
  const message = `The service does not serve this operation: ${reason}.`
  return new ApiError({ status: 501, code: 'not_implemented' }, message)
}

const rejectMethod: RequestHandler = ({ method }, { locals }) => {
  throw methodNotAllowed(method, locals.allow)
}

/** Returns the error of a method that a path does not support; `allow` lists those that it supports. */
export function methodNotAllowed(method: string, allow: string): ApiError {
  const message = `This path does not support ${method}.`
  const headers = { Allow: allow }
  return new ApiError({ status: 405, code: 'method_not_allowed' }, message, { headers })
}

function sendAllow(send: Send): RequestHandler {
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
