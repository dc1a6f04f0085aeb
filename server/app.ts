import type { RequestListener, ServerResponse } from 'node:http'
import express, { type NextFunction, type RequestHandler } from 'express'
import type { Contract } from './contract/contract.ts'
import type { Request, Response } from './contract/exchange.ts'
import { openExchange } from './contract/open-exchange.ts'
import { createErrorAnswers, type ErrorAnswerOptions } from './error-answers.ts'
import { createOutages } from './ops/outages.ts'
import { letWatch, type Watcher } from './ops/watched.ts'
import { decideReply, nameOf, type ReplyOptions } from './reply-decision.ts'

export interface AppOptions extends ReplyOptions, Omit<ErrorAnswerOptions, 'outages'> {
  readonly contract: Contract
  /** See how each request comes out. */
  readonly watchers?: readonly Watcher[]
  /** Makes a trace of each request. */
  readonly trace?: RequestHandler
}

/**
 * What happens to a request, from its first line to its answer. It never listens. A request that
 * means an operation is answered without Express, whose way costs as much as the rest; every other
 * takes it. The steps are the same.
 */
export function createApp(given: AppOptions): RequestListener {
  const outages = createOutages(given.log)
  const options = { ...given, outages }
  const { contract, send, watchers = [], trace } = options
  const open = openExchange(contract)
  const watch = letWatch(watchers)
  const answerError = createErrorAnswers(options)

  function giveUp(err: unknown, response: ServerResponse): void {
    given.log.error({ err }, 'a request could not be answered at all')
    response.destroy()
  }

  async function refuse(error: unknown, response: Response): Promise<void> {
    try {
      await answerError(error, response)
    } catch (failure) {
      giveUp(failure, response)
    }
  }

  async function answer(request: Request, response: Response): Promise<void> {
    try {
      const reply = await decideReply(options, request, response)
      outages.succeeded(nameOf(response))
      const sending = send(response, reply)
      if (sending !== undefined) await sending
    } catch (error) {
      await refuse(error, response)
    }
  }

  const app = express()
  app.disable('x-powered-by').disable('etag').set('query parser', false)
  if (trace !== undefined) app.use(trace)
  app.use((request, response) => answer(request, response))
  // What goes wrong in Express itself. It knows an error handler by its four parameters.
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) =>
    refuse(error, response),
  )

  return function begin(incoming, outgoing) {
    try {
      const { request, response } = open(incoming, outgoing)
      watch(request, response)
      const isDirect = trace === undefined && response.locals.exchange.match.kind === 'operation'
      if (isDirect) answer(request, response)
      else app(request, response)
    } catch (error) {
      giveUp(error, outgoing)
    }
  }
}
