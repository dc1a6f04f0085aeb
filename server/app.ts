import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import type { Logger } from 'pino'
import type { Admit } from './access/admission.ts'
import { internalError, toReply } from './contract/answer/error-reply.ts'
import { Refusal } from './contract/answer/refusal.ts'
import type { Writer } from './contract/answer/writer.ts'
import type { Contract } from './contract/contract.ts'
import { isPublic } from './contract/description/operation.ts'
import { openExchange, refuseMisframed } from './contract/open-exchange.ts'
import { answerPage, type Pages } from './contract/pages.ts'
import { CallerGone } from './contract/request/caller-gone.ts'
import type { CrossOrigin } from './contract/request/cross-origin.ts'
import { type OnAnswer, tellAnswers } from './ops/answered.ts'
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
  /** Told of every answer under the contract, when it is sent or its caller is gone. */
  readonly onAnswer?: OnAnswer
}

/** What happens to a request, from its first line to its answer. It never listens. */
export function createApp(options: AppOptions): Express {
  const app = express()
  app.disable('x-powered-by').disable('etag').set('query parser', false)
  app.set('trust proxy', options.trustProxy)
  if (options.onAnswer !== undefined) app.use(tellAnswers(options.onAnswer))
  app.use(openExchange(options.contract))
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

function servePages({ pages, send }: AppOptions) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const { path, underContract } = response.locals.exchange
    if (underContract) return next()
    const page = await answerPage(pages, request, path)
    if (page !== undefined) return send(request, response, page)
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

function callOperation({ contract, send }: AppOptions) {
  return async (request: Request, response: Response): Promise<void> => {
    await send(request, response, await contract.call(request, response))
  }
}

function answerErrors({ send, log }: AppOptions) {
  // Express knows an error handler by its four parameters.
  return async (error: unknown, request: Request, response: Response, _next: NextFunction) => {
    if (error instanceof CallerGone) return
    const { requestId, path } = response.locals.exchange
    const refusal = toRefusal(error)
    if (refusal.status >= 500) {
      log.error({ requestId, path, err: refusal.cause ?? error }, refusal.message)
    }
    await send(request, response, toReply(refusal))
  }
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (!(error instanceof StoreUnavailable)) return internalError(error)
  const message = 'The service cannot answer now. Retry in 1 second.'
  const options = { headers: { 'Retry-After': 1 }, cause: error }
  return new Refusal({ status: 503, code: 'unavailable' }, message, options)
}
