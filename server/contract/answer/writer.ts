import type { Logger } from 'pino'
import { STATUS_CODES } from '../../node-http.ts'
import { isObject } from '../description/description.ts'
import type { Exchange, OutgoingHeaders, Response } from '../exchange.ts'
import { internalError, toReply } from './error-reply.ts'
import { type AnyReply, json } from './reply.ts'

/** Finds where a reply breaks the contract; nothing when it keeps it. */
export type ReplyChecks = (
  exchange: Exchange,
  reply: AnyReply,
  headers: OutgoingHeaders,
) => readonly string[] | Promise<readonly string[]>

export interface WriterOptions {
  readonly log: Logger
  readonly checks: ReplyChecks
  /** `strict`: a reply off the contract becomes a 500. `log`: it is sent, and logged. */
  readonly responseValidation: 'strict' | 'log'
  /** Whether connections are to be closed after the answer, because the service is going down. */
  readonly isDraining: () => boolean
}

/** Sends an answer: at once, unless it takes a while to check it. */
export type Writer = (response: Response, reply: AnyReply) => Promise<void> | undefined

/** Makes the one function that sends answers: every reply is checked against the contract first. */
export function createWriter({
  log,
  checks,
  responseValidation,
  isDraining,
}: WriterOptions): Writer {
  function faultsOf(exchange: Exchange, reply: AnyReply, headers: OutgoingHeaders) {
    const failed = (error: unknown) => [`the check itself failed: ${String(error)}`]
    try {
      const isRuled = exchange.underContract && reply.isOutsideContract === undefined
      const found = isRuled ? checks(exchange, reply, headers) : []
      return found instanceof Promise ? found.catch(failed) : found
    } catch (error) {
      return failed(error)
    }
  }

  function sendChecked(
    response: Response,
    reply: AnyReply,
    headers: OutgoingHeaders,
    faults: readonly string[],
  ): void {
    const { exchange } = response.locals
    exchange.faults = faults
    exchange.errorCode = errorCodeOf(reply)
    if (faults.length > 0) {
      const { requestId, path } = exchange
      log.error({ requestId, path, status: reply.status, faults }, 'an answer breaks the contract')
    }
    if (isDraining()) response.setHeader('Connection', 'close')
    if (faults.length === 0 || responseValidation === 'log') {
      write(response, reply, headers)
    } else {
      const withheld = toReply(internalError(faults))
      exchange.errorCode = errorCodeOf(withheld)
      write(response, withheld, exchange.headers)
    }
  }

  return function send(response, reply) {
    const { exchange } = response.locals
    const headers = mergeHeaders(exchange.headers, reply.headers)
    const found = faultsOf(exchange, reply, headers)
    // Most answers are judged at once, and need not wait for a promise.
    if (!(found instanceof Promise)) return void sendChecked(response, reply, headers, found)
    return found.then((faults) => sendChecked(response, reply, headers, faults))
  }
}

// Link is a list (RFC 8288): what the service says there and what the handler says add up.
function mergeHeaders(service: OutgoingHeaders, own: AnyReply['headers']): OutgoingHeaders {
  if (own === undefined) return service
  const merged = { ...service, ...own }
  const [first, second] = [own['Link'], service['Link']]
  if (second !== undefined) merged['Link'] = first === undefined ? second : `${first}, ${second}`
  return merged
}

function errorCodeOf({ status, body }: AnyReply): string | undefined {
  const code = status >= 400 && isObject(body) ? body['code'] : undefined
  return typeof code === 'string' ? code : undefined
}

function write(
  response: Response,
  { status, body, mediaType = json }: AnyReply,
  headers: OutgoingHeaders,
): void {
  if (response.headersSent || response.destroyed) return
  // Said each time: what could not be written may have left another reason.
  const reason = STATUS_CODES[status]
  const fields: string[] = []
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) fields.push(name, String(value))
  }
  if (body === undefined) {
    response.writeHead(status, reason, fields).end()
    return
  }
  const content = mediaType === json ? JSON.stringify(body) : String(body)
  fields.push('Content-Type', mediaType, 'Content-Length', String(Buffer.byteLength(content)))
  // In one piece, which takes node:http half the time of a field at a time; so does content that is
  // text, which goes out together with them. What answers HEAD, node:http leaves out.
  response.writeHead(status, reason, fields)
  response.end(content)
}
