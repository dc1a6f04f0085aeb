import type { Response } from 'express'
import type { Logger } from 'pino'
import { STATUS_CODES } from '../node-http.ts'
import { isObject } from './description.ts'
import { internalError, toErrorResponse } from './errors.ts'
import type { AnyResponse } from './handler.ts'
import { json, type ResponseHeaders } from './headers.ts'
import type { ResponseValidator } from './response-validation.ts'

export interface SendOptions {
  readonly log: Logger
  readonly validate: ResponseValidator
  /** `strict`: a response that violates the description becomes a 500. `log`: it is sent, and logged. */
  readonly responseValidation: 'strict' | 'log'
  /** Whether connections are closed after the response, because the service is shutting down. */
  readonly isDraining: () => boolean
}

/** Validates a response and sends it. */
export type Send = (to: Response, response: AnyResponse) => void

/** Returns the one function that sends responses: every response is validated first. */
export function createSend(options: SendOptions): Send {
  const { log, validate, responseValidation, isDraining } = options
  return function send(to, response) {
    const { locals } = to
    const headers = mergeHeaders(locals.headers, response.headers)
    if (locals.isApiRequest && response.isUndeclared !== true) {
      locals.violations = validate(locals.operation, response, headers)
    }
    locals.errorCode = errorCodeOf(response)
    if (isDraining()) to.setHeader('Connection', 'close')
    if (locals.violations.length === 0) return write(to, response, headers)
    const { requestId, path, violations } = locals
    const { status } = response
    log.error({ requestId, path, status, violations }, 'response validation failed')
    if (responseValidation === 'log') return write(to, response, headers)
    const replacement = toErrorResponse(internalError(violations))
    locals.errorCode = errorCodeOf(replacement)
    write(to, replacement, locals.headers)
  }
}

// Link is a list (RFC 8288): the links of the service and those of the handler are both sent.
function mergeHeaders(service: ResponseHeaders, own: AnyResponse['headers']): ResponseHeaders {
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

// A flat list of headers and the content as text: node:http sends them in one write.
function write(
  to: Response,
  { status, body, mediaType = json }: AnyResponse,
  headers: ResponseHeaders,
): void {
  if (to.headersSent || to.destroyed) return
  const fields: string[] = []
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) fields.push(name, String(value))
  }
  if (body === undefined) {
    to.writeHead(status, STATUS_CODES[status], fields).end()
    return
  }
  const content = mediaType === json ? JSON.stringify(body) : String(body)
  fields.push('Content-Type', mediaType, 'Content-Length', String(Buffer.byteLength(content)))
  // In response to HEAD, node:http omits the content.
  to.writeHead(status, STATUS_CODES[status], fields).end(content)
}
