import type { Response } from 'express'
import type { Logger } from 'pino'
import { type Description, isObject } from '../contract/description.ts'
import { internalError, toErrorResponse } from '../contract/errors.ts'
import type { AnyResponse } from '../contract/handler-response.ts'
import { json, mergeHeaders, type ResponseHeaders } from '../contract/headers.ts'
import { isJsonType } from '../contract/media-types.ts'
import { ResponseValidator } from '../contract/response-validation.ts'
import { STATUS_CODES } from '../process/node-http.ts'

export interface SendOptions {
  readonly log: Logger
  readonly description: Description
  /** `strict`: a response that violates the description becomes a 500. `log`: it is sent, and logged. */
  readonly responseValidation: 'strict' | 'log'
  /** Once it is aborted, connections are closed after the response. */
  readonly stopping: AbortSignal
}

/** Validates a response and sends it. */
export type Send = (to: Response, response: AnyResponse) => void

/** Returns the one function that sends responses: every response is validated first. */
export function createSend(options: SendOptions): Send {
  const { log, description, responseValidation, stopping } = options
  const validator = new ResponseValidator(description)
  return function send(to, response) {
    const { locals } = to
    const headers = mergeHeaders(locals.headers, response.headers)
    if (locals.isApiRequest) {
      locals.violations = validator.validate(locals.operation, response, headers)
    }
    if (stopping.aborted) to.setHeader('Connection', 'close')
    const { requestId, path, violations } = locals
    if (violations.length === 0) return write(to, response, headers)
    const { status } = response
    log.error({ requestId, path, status, violations }, 'response validation failed')
    if (responseValidation === 'log') write(to, response, headers)
    else write(to, toErrorResponse(internalError(violations)), locals.headers)
  }
}

function write(to: Response, response: AnyResponse, headers: ResponseHeaders): void {
  const { status, body, mediaType = json } = response
  const code = status >= 400 && isObject(body) ? body['code'] : undefined
  to.locals.errorCode = typeof code === 'string' ? code : undefined
  if (to.headersSent || to.destroyed) return
  // With the reason phrase: a `writeHead` that has failed may have set another one.
  if (body === undefined)
    return void to.writeHead(status, STATUS_CODES[status], toFields(headers)).end()
  // Connections share bytes; each has its own copy of a text until the client has read it.
  const text = isJsonType(mediaType) ? JSON.stringify(body) : body
  const content = text instanceof Uint8Array ? text : String(text)
  const own = { 'Content-Type': mediaType, 'Content-Length': Buffer.byteLength(content) }
  // In response to HEAD, node:http omits the content.
  to.writeHead(status, STATUS_CODES[status], toFields({ ...headers, ...own })).end(content)
}

// A flat list: node:http sends it with the content in one write. `flat` and `map` would take 2 µs.
function toFields(headers: ResponseHeaders): string[] {
  const fields: string[] = []
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) fields.push(name, String(value))
  }
  return fields
}
