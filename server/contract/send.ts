import type { Response } from 'express'
import type { Logger } from 'pino'
import { STATUS_CODES } from '../node-http.ts'
import { type AnyResponse, json } from './any-response.ts'
import { isObject } from './description.ts'
import { internalError, toErrorResponse } from './errors.ts'
import type { OutgoingHeaders } from './request-context.ts'
import type { FindViolations } from './response-validation.ts'

export interface SendOptions {
  readonly log: Logger
  readonly findViolations: FindViolations
  /** `strict`: a response that violates the description becomes a 500. `log`: it is sent, and logged. */
  readonly responseValidation: 'strict' | 'log'
  /** Whether connections are closed after the response, because the service is shutting down. */
  readonly isDraining: () => boolean
}

/** Validates a reply and sends it as the response. */
export type Send = (response: Response, reply: AnyResponse) => void

/** Returns the one function that sends responses: every reply is validated first. */
export function createSend(options: SendOptions): Send {
  const { log, findViolations, responseValidation, isDraining } = options
  return function send(response, reply) {
    const { locals } = response
    const headers = mergeHeaders(locals.headers, reply.headers)
    locals.violations = violationsOf(findViolations, response, reply, headers)
    locals.errorCode = errorCodeOf(reply)
    if (isDraining()) response.setHeader('Connection', 'close')
    if (locals.violations.length > 0) {
      const { requestId, path, violations } = locals
      log.error({ requestId, path, status: reply.status, violations }, 'response validation failed')
      if (responseValidation === 'strict') {
        const replacement = toErrorResponse(internalError(violations))
        locals.errorCode = errorCodeOf(replacement)
        return write(response, replacement, locals.headers)
      }
    }
    write(response, reply, headers)
  }
}

function violationsOf(
  findViolations: FindViolations,
  { locals }: Response,
  reply: AnyResponse,
  headers: OutgoingHeaders,
): readonly string[] {
  if (!locals.isUnderContract || reply.isOutsideContract) return []
  try {
    return findViolations(locals.operation, reply, headers)
  } catch (error) {
    return [`the validation itself failed: ${String(error)}`]
  }
}

// Link is a list (RFC 8288): the links of the service and those of the handler are both sent.
function mergeHeaders(service: OutgoingHeaders, own: AnyResponse['headers']): OutgoingHeaders {
  if (own === undefined) return service
  const merged = { ...service, ...own }
  const [first, second] = [own['Link'], service['Link']]
  if (second !== undefined) merged['Link'] = first === undefined ? second : `${first}, ${second}`
  return merged
}

function errorCodeOf({ status, body }: AnyResponse): string | undefined {
  const code = status >= 400 && isObject(body) ? body['code'] : undefined
  return typeof code === 'string' ? code : undefined
}

function write(
  response: Response,
  { status, body, mediaType = json }: AnyResponse,
  headers: OutgoingHeaders,
): void {
  if (response.headersSent || response.destroyed) return
  const fields: string[] = []
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) fields.push(name, String(value))
  }
  if (body === undefined) {
    response.writeHead(status, STATUS_CODES[status], fields).end()
    return
  }
  const content = mediaType === json ? JSON.stringify(body) : String(body)
  fields.push('Content-Type', mediaType, 'Content-Length', String(Buffer.byteLength(content)))
  // In response to HEAD, node:http omits the content.
  response.writeHead(status, STATUS_CODES[status], fields).end(content)
}
