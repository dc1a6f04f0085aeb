import { Refusal } from './answer/refusal.ts'
import { type AnyReply, json } from './answer/reply.ts'
import type { Authority } from './authority.ts'
import type { ContractOptions } from './description/contract-options.ts'
import type { Operation } from './description/operation.ts'
import type { Exchange, Request, Response } from './exchange.ts'
import { isAccepted } from './request/accept.ts'
import { noBody, readBody } from './request/request-body.ts'
import { createRequestChecks, type ReadRequest } from './request/request-checks.ts'
import type { RouteMatch } from './request/route-table.ts'
import type { RequestValues } from './validator/openapi-validator.ts'

/** A handler whose input is forgotten, so that handlers of any contract fit in one table. */
export type AnyHandler = (input: never, context: never) => AnyReply | Promise<AnyReply>

type CallableHandler = (input: RequestValues, context: unknown) => AnyReply | Promise<AnyReply>

/** Answers a request that is let in: routes it, checks it, and calls the handler it is meant for. */
export function createOperationCall(
  { handlers, standIn, validators }: ContractOptions,
  authority: Authority,
) {
  const checkRequest = createRequestChecks(authority, validators)
  // An operation may be called `constructor`.
  const handlerOf = new Map(Object.entries(handlers))

  function handle(
    request: Request,
    exchange: Exchange,
    operation: Operation,
    input: RequestValues,
  ) {
    // The input was just validated against the schema that the handler's type is compiled from.
    const handler = handlerOf.get(operation.operationId) as CallableHandler | undefined
    if (handler !== undefined) return handler(input, contextOf(exchange))
    if (standIn === undefined) throw new Error(`${operation.operationId} has no handler.`)
    const prefer = request.headersDistinct['prefer'] ?? []
    return standIn.answer(operation, { prefer, queryNames: Object.keys(input.query) })
  }

  function check(request: Request, exchange: Exchange, read: ReadRequest) {
    const { operation } = read
    const checked = checkRequest(request, exchange, read)
    return checked instanceof Promise
      ? checked.then((input) => handle(request, exchange, operation, input))
      : handle(request, exchange, operation, checked)
  }

  return function call(request: Request, response: Response): AnyReply | Promise<AnyReply> {
    const { exchange } = response.locals
    const { match } = exchange
    if (match.kind !== 'operation') return answerOutside(match, request.method)
    checkAccept(request)
    const { operation, pathValues } = match
    const { requestBody } = operation
    // Without a body there is nothing to wait for.
    if (requestBody === undefined) {
      return check(request, exchange, { operation, pathValues, ...noBody })
    }
    return readBody(requestBody, request, response).then((body) =>
      check(request, exchange, { operation, pathValues, ...body }),
    )
  }
}

function contextOf({ callerId, path }: Exchange) {
  return {
    callerId,
    hrefWith(query: Readonly<Record<string, unknown>>): string {
      const given = Object.entries(query).filter(([, value]) => value !== undefined)
      return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
    },
  }
}

function answerOutside(match: RouteMatch, method: string): AnyReply {
  if (match.kind === 'options') return { status: 204, headers: { Allow: match.allow } }
  if (match.kind === 'method-unknown') {
    const refused = { status: 405, code: 'method_not_allowed' } as const
    const message = `This path does not support ${method}.`
    throw new Refusal(refused, message, { headers: { Allow: match.allow } })
  }
  throw new Refusal({ status: 404, code: 'not_found' }, 'There is no such path.')
}

function checkAccept(request: Request): void {
  if (isAccepted(json, request.headers.accept)) return
  const message = `The answer is ${json}, which the Accept header rules out.`
  throw new Refusal({ status: 406, code: 'not_acceptable' }, message)
}
