import type { ValidateFunction } from 'ajv/dist/2020.js'
import type { Response } from 'express'
import type { Logger } from 'pino'
import { STATUS_CODES } from '../node-http.ts'
import { createCompiler } from './ajv.ts'
import { type Description, isObject, operationObject, responseSchema } from './description.ts'
import { toDetails } from './details.ts'
import { internalError, toErrorResponse } from './errors.ts'
import type { AnyResponse } from './handler.ts'
import { json, type ResponseHeaders } from './headers.ts'
import { isJsonType } from './media-types.ts'
import type { Operation } from './operation.ts'

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
  const { log, responseValidation, stopping } = options
  const validate = createResponseValidator(options)
  return function send(to, response) {
    const { locals } = to
    const headers = mergeHeaders(locals.headers, response.headers)
    if (locals.isApiRequest) locals.violations = validate(locals.operation, response, headers)
    if (stopping.aborted) to.setHeader('Connection', 'close')
    const { requestId, path, violations } = locals
    if (violations.length === 0) return write(to, response, headers)
    const { status } = response
    log.error({ requestId, path, status, violations }, 'response validation failed')
    if (responseValidation === 'log') write(to, response, headers)
    else write(to, toErrorResponse(internalError(violations)), locals.headers)
  }
}

/** Returns the function that returns where a response violates the description. */
function createResponseValidator({ description }: SendOptions) {
  const compile = createCompiler(description, 'response')
  const validators = new Map<string, ValidateFunction>()

  return function validateResponse(
    operation: Operation | undefined,
    { status, body, mediaType = json }: AnyResponse,
    headers: ResponseHeaders,
  ): readonly string[] {
    const key = `${status} ${operation?.operationId} ${mediaType}`
    let validate = validators.get(key)
    if (validate === undefined) {
      const declared = operationObject(description, operation).responses[status]
      if (declared === undefined) return [`status ${status} is not declared`]
      validate = compile(responseSchema(declared, mediaType))
      validators.set(key, validate)
    }
    const content = {
      mediaType: body === undefined ? undefined : mediaType,
      body: isJsonType(mediaType) ? body : undefined,
    }
    if (validate({ headers, ...content })) return []
    return toDetails(validate.errors).map(({ path, message }) => `${path} ${message}`)
  }
}

// Link is a list (RFC 8288): the links of the service and those of the handler are both sent.
function mergeHeaders(service: ResponseHeaders, own: AnyResponse['headers']): ResponseHeaders {
  if (own === undefined) return service
  const merged = { ...service, ...own }
  const ofHandler = own['Link']
  const ofService = service['Link']
  if (ofHandler !== undefined && ofService !== undefined) {
    merged['Link'] = `${ofHandler}, ${ofService}`
  } else if (ofService !== undefined) {
    merged['Link'] = ofService
  }
  return merged
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
