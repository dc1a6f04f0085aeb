import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from './answer/refusal.ts'
import { securityHeaders } from './answer/service-headers.ts'
import type { Contract } from './contract.ts'
import type { Exchange, Request, Response } from './exchange.ts'
import { framingFault } from './request/framing.ts'
import { toRequestId } from './request/request-id.ts'
import { splitTarget } from './request/target.ts'

/** A request and its answer, once it is known what is meant. */
export interface Opened {
  readonly request: Request
  readonly response: Response
}

/** Makes what begins an exchange: it names the request and finds what it means. */
export function openExchange(contract: Contract) {
  return function open(incoming: IncomingMessage, outgoing: ServerResponse): Opened {
    const [request, response] = [incoming, outgoing] as [Request, Response]
    const { path, rawQuery } = splitTarget(request.url)
    const match = contract.find(request.method, path)
    const requestId = toRequestId(request.headers['x-request-id'])
    const exchange: Exchange = {
      requestId,
      path,
      rawQuery,
      underContract: contract.rules(path),
      match,
      headers: { ...contract.headersOf(match), 'X-Request-Id': requestId },
      callerId: undefined,
      faults: [],
      errorCode: undefined,
    }
    response.locals = { exchange }
    return { request, response }
  }
}

/** Refuses what is misframed; the contract does not rule these answers. */
export function refuseMisframed(request: Request, response: Response): void {
  const fault = framingFault(request)
  if (fault === undefined) return
  const { exchange } = response.locals
  const headers = { ...securityHeaders, 'X-Request-Id': exchange.requestId }
  response.locals.exchange = { ...exchange, underContract: false, headers }
  response.setHeader('Connection', 'close')
  throw new Refusal({ status: fault.status, code: 'bad_request_framing' }, fault.message)
}
