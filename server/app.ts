import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import type { Logger } from 'pino'
import type { Admit } from './access/admission.ts'
import { withoutApiKeys } from './access/api-key.ts'
import { internalError, toReply } from './contract/answer/error-reply.ts'
import { Refusal } from './contract/answer/refusal.ts'
import type { Writer } from './contract/answer/writer.ts'
import type { Contract } from './contract/contract.ts'
import { isPublic } from './contract/description/operation.ts'
import { openExchange, refuseMisframed } from './contract/open-exchange.ts'
import { answerPage, type Pages } from './contract/pages.ts'
import { CallerGone } from './contract/request/caller-gone.ts'
import type { CrossOrigin } from './contract/request/cross-origin.ts'
import { createOutages, type Outages } from './ops/outages.ts'
import { letWatch, type Watcher } from './ops/watched.ts'
import { StoreUnavailable } from './store/store-unavailable.ts'

export interface AppOptions {
  readonly contract: Contract
  readonly admit: Admit
  readonly crossOrigin: CrossOrigin
  readonly pages: Pages
  readonly send: Writer
  readonly log: Logger
  /** How many proxies stand in front and append to `X-Forwarded-For`. */
  readonly trustProxy: number
  /** See how each request comes out. */
  readonly watchers?: readonly Watcher[]
  /** Makes a trace of each request. */
  readonly trace?: RequestHandler
}

interface Told extends AppOptions {
  readonly outages: Outages
}

/** What happens to a request, from its first line to its answer. It never listens. */
export function createApp(given: AppOptions): Express {
  const options = { ...given, outages: createOutages(given.log) }
  const app = express()
  app.disable('x-powered-by').disable('etag').set('query parser', false)
  app.set('trust proxy', options.trustProxy)
  app.use(openExchange(options.contract))
  const { watchers = [], trace } = options
  if (watchers.length > 0) app.use(letWatch(watchers))
  if (trace !== undefined) app.use(trace)
  app.use(letBrowsersIn(options))
  app.use(servePages(options))
  app.use(admitCaller(options))
  app.use(callOperation(options))
  app.use(answerErrors(options))
  return app
}

function letBrowsersIn({ crossOrigin, send }: AppOptions) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const preflight = crossOrigin.open(request, response)
    // Browsers show a refusal to programs only when it is marked as theirs.
    refuseMisframed(request, response)
    if (preflight === undefined) next()
    else await send(request, response, preflight)
  }
}

function servePages({ pages, outages, send }: Told) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const { path, underContract } = response.locals.exchange
    if (underContract) return next()
    const page = await answerPage(pages, request, path)
    if (page !== undefined) {
      outages.succeeded(nameOf(response))
      return send(request, response, page)
    }
    throw new Refusal({ status: 404, code: 'not_found' }, 'There is no such path.')
  }
}

function admitCaller({ admit }: AppOptions) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const { exchange } = response.locals
    const { match } = exchange
    const { headers, callerId, refusal } = await admit({
      credentials: request.headersDistinct['authorization'],
      address: request.ip ?? '',
      isKeyOptional: match.kind === 'operation' && isPublic(match.operation),
    })
    Object.assign(exchange.headers, headers)
    if (refusal !== undefined) throw refusal
    exchange.callerId = callerId
    next()
  }
}

function callOperation({ contract, outages, send }: Told) {
  return async (request: Request, response: Response): Promise<void> => {
    const reply = await contract.call(request, response)
    outages.succeeded(nameOf(response))
    await send(request, response, reply)
  }
}

/** What was asked for, in a name of which there are few. */
function nameOf({ locals: { exchange } }: Response): string {
  const { match, underContract, path } = exchange
  if (match.kind === 'operation') return match.operation.operationId
  return underContract ? 'no operation' : path
}

function answerErrors({ send, log, outages }: Told) {
  // Express knows an error handler by its four parameters.
  return async (error: unknown, request: Request, response: Response, _next: NextFunction) => {
    if (error instanceof CallerGone) return
    const { requestId, path } = response.locals.exchange
    const refusal = toRefusal(error)
    if (error instanceof StoreUnavailable) outages.failed(nameOf(response), error)
    else if (isOurFault(refusal)) {
      const where = { requestId, path: withoutApiKeys(path) }
      log.error({ ...where, err: refusal.cause ?? error }, refusal.message)
    }
    await send(request, response, toReply(refusal))
  }
}

// Whoever sends what is no HTTP could otherwise fill the log.
function isOurFault({ status, code }: Refusal): boolean {
  return status >= 500 && code !== 'bad_request_framing'
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (!(error instanceof StoreUnavailable)) return internalError(error)
  const message = 'The service cannot answer now. Retry in 1 second.'
  const options = { headers: { 'Retry-After': 1 }, cause: error }
  return new Refusal({ status: 503, code: 'unavailable' }, message, options)
}
