import type { Request, Response } from 'express'
import type { Logger } from 'pino'
import { isObject } from '../description/description.ts'
import type { Exchange, OutgoingHeaders } from '../exchange.ts'
import { internalError, toReply } from './error-reply.ts'
import { type AnyReply, json } from './reply.ts'

/** Finds where a reply breaks the contract; nothing when it keeps it. */
export type ReplyChecks = (
  exchange: Exchange,
  reply: AnyReply,
  headers: OutgoingHeaders,
) => Promise<readonly string[]>

export interface WriterOptions {
  readonly log: Logger
  readonly checks: ReplyChecks
  /** `strict`: a reply off the contract becomes a 500. `log`: it is sent, and logged. */
  readonly responseValidation: 'strict' | 'log'
  /** Whether connections are to be closed after the answer, because the service is going down. */
  readonly isDraining: () => boolean
}

export type Writer = (request: Request, response: Response, reply: AnyReply) => Promise<void>

/** Makes the one function that sends answers: every reply is checked against the contract first. */
export function createWriter({
  log,
  checks,
  responseValidation,
  isDraining,
}: WriterOptions): Writer {
  async function faultsOf(exchange: Exchange, reply: AnyReply, headers: OutgoingHeaders) {
    try {
      const isRuled = exchange.underContract && reply.isOutsideContract === undefined
      return isRuled ? await checks(exchange, reply, headers) : []
    } catch (error) {
      return [`the check itself failed: ${String(error)}`]
    }
  }

  return async function send(request, response, reply) {
    const { exchange } = response.locals
    const headers = mergeHeaders(exchange.headers, reply.headers)
    const faults = await faultsOf(exchange, reply, headers)
    exchange.faults = faults
    exchange.errorCode = errorCodeOf(reply)
    if (faults.length > 0) {
      const { requestId, path } = exchange
      log.error({ requestId, path, status: reply.status, faults }, 'an answer breaks the contract')
    }
    if (isDraining()) response.setHeader('Connection', 'close')
    if (faults.length === 0 || responseValidation === 'log') {
      write(request, response, reply, headers)
    } else {
      const withheld = toReply(internalError(faults))
      exchange.errorCode = errorCodeOf(withheld)
      write(request, response, withheld, exchange.headers)
    }
  }
}

// Link is a list (RFC 8288): what the service says there and what the handler says add up.
function mergeHeaders(service: OutgoingHeaders, own: AnyReply['headers'] = {}): OutgoingHeaders {
  const links = [own['Link'], service['Link']].filter((link) => link !== undefined)
  const merged = { ...service, ...own }
  return links.length === 0 ? merged : { ...merged, Link: links.join(', ') }
}

function errorCodeOf({ status, body }: AnyReply): string | undefined {
  const code = status >= 400 && isObject(body) ? body['code'] : undefined
  return typeof code === 'string' ? code : undefined
}

function write(
  request: Request,
  response: Response,
  { status, body, mediaType = json }: AnyReply,
  headers: OutgoingHeaders,
): void {
  if (response.headersSent || response.destroyed) return
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) response.setHeader(name, String(value))
  }
  response.statusCode = status
  if (body === undefined) {
    response.end()
    return
  }
  const content = Buffer.from(mediaType === json ? JSON.stringify(body) : String(body))
  response.setHeader('Content-Type', mediaType)
  response.setHeader('Content-Length', content.length)
  if (request.method === 'HEAD') response.end()
  else response.end(content)
}
