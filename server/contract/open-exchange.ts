import type { NextFunction, Request, Response } from 'express'
import { Refusal } from './answer/refusal.ts'
import { securityHeaders } from './answer/service-headers.ts'
import type { Contract } from './contract.ts'
import { framingFault } from './request/framing.ts'
import { toRequestId } from './request/request-id.ts'
import { splitTarget } from './request/target.ts'

/** Begins an exchange: names the request and finds what it means. */
export function openExchange(contract: Contract) {
  return function open(request: Request, response: Response, next: NextFunction): void {
    const { path, rawQuery } = splitTarget(request.url)
    const match = contract.find(request.method, path)
    const requestId = toRequestId(request.headers['x-request-id'])
    const headers = { ...securityHeaders, 'X-Request-Id': requestId }
    response.locals.exchange = {
      requestId,
      path,
      rawQuery,
      underContract: path === contract.basePath || path.startsWith(`${contract.basePath}/`),
      match,
      headers: { ...headers, ...contract.headersOf(match) },
      callerId: undefined,
      faults: [],
      errorCode: undefined,
    }
    next()
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
