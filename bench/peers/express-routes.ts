import type { Express, NextFunction, Request, RequestHandler, Response } from 'express'
import { basePath } from '../../generated/operations.ts'
import type { Answer } from './answer.ts'
import { type Exchange, operationOf, type Values } from './exchange.ts'
import type { Work } from './work.ts'

/** Asks for the key of a request before anything else of it is looked at. */
export function admitted(work: Work): RequestHandler {
  return async function admit(request: Request, response: Response, next: NextFunction) {
    work.watch(request, response, () => response.locals['work'])
    const operationId = operationOf(request.method, request.path)
    if (operationId === undefined) {
      response.sendStatus(404)
      return
    }
    const exchange = await work.open(request, operationId)
    response.locals['work'] = exchange
    if (exchange.refusal === undefined) next()
    else send(response, work.refuse(exchange))
  }
}

/** Adds the routes of the three operations; a function reads the values that handlers are given. */
export function addRoutes(
  app: Express,
  work: Work,
  valuesOf: (request: Request, exchange: Exchange) => Values,
): void {
  async function handle(request: Request, response: Response): Promise<void> {
    const exchange: Exchange = response.locals['work']
    send(response, await work.answer(exchange, valuesOf(request, exchange)))
  }
  app.get(`${basePath}/pets`, handle)
  app.post(`${basePath}/pets`, handle)
  app.get(`${basePath}/pets/:petId`, handle)
}

/** Refuses what a step before has thrown. */
export function addRefusals(app: Express, work: Work, toError: (thrown: unknown) => unknown): void {
  // Express knows an error handler by its four parameters.
  app.use((thrown: unknown, _request: Request, response: Response, _next: NextFunction) => {
    send(response, work.refuse(response.locals['work'], toError(thrown)))
  })
}

function send(response: Response, { status, headers, body }: Answer): void {
  response.status(status).set(headers).json(body)
}
