import type { Response } from 'express'
import type { Logger } from 'pino'
import { internalError, toErrorResponse } from '../contract/errors.ts'
import type { AnyResponse } from '../contract/handler-response.ts'
import { type HeaderForm, type HeaderValue, printHeader } from '../contract/header-value.ts'
import { mergeHeaders, type ResponseHeaders } from '../contract/headers.ts'
import { ResponseValidator } from '../contract/response-validation.ts'
import type { Description } from '../description/description.ts'
import { isObject } from '../description/json.ts'
import { isJsonType, json } from '../description/media-types.ts'
import { STATUS_CODES } from '../process/node-http.ts'
import { preferredType } from './accept-header.ts'

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

  function write(to: Response, response: AnyResponse, headers: ResponseHeaders): void {
    const { status, body } = response
    const { operation } = to.locals
    to.locals.errorCode = errorCodeOf(response)
    if (to.headersSent || to.destroyed) {
      return
    }

    const forms = validator.headerFormsOf(operation, status)
    // With the reason phrase: a `writeHead` that has failed may have set another one.
    const reason = STATUS_CODES[status]
    if (body === undefined) {
      // Without the length, node:http would send chunked content; 204 and 304 never have one.
      const isWithoutLength = status === 204 || status === 304
      const own = isWithoutLength ? {} : { 'Content-Length': 0 }
      to.writeHead(status, reason, toFields({ ...headers, ...own }, forms)).end()
      return
    }

    const { mediaType = json } = response
    const content = toContent(body, mediaType)
    const own = { 'Content-Type': mediaType, 'Content-Length': Buffer.byteLength(content) }
    const fields = toFields({ ...headers, ...own }, forms)
    // In response to HEAD, node:http omits the content.
    to.writeHead(status, reason, fields).end(content)
  }

  /** Returns a response with its media type: that of its sender, or of those declared the one that is preferred. */
  function withMediaType(to: Response, response: AnyResponse): AnyResponse {
    const { locals, req } = to
    if (response.mediaType !== undefined || response.body === undefined || !locals.isApiRequest) {
      return response
    }
    const types = validator.mediaTypesOf(locals.operation, response.status)
    const mediaType = types.length > 1 ? preferredType(req, types) : undefined
    return { ...response, mediaType: mediaType ?? types[0] ?? json }
  }

  return function send(to, given) {
    const { locals } = to
    const response = withMediaType(to, given)
    const headers = mergeHeaders(locals.headers, response.headers)
    if (locals.isApiRequest) {
      locals.violations = validator.validate(locals.operation, response, headers)
    }
    if (stopping.aborted) {
      to.setHeader('Connection', 'close')
    }
    const { requestId, path, violations } = locals
    if (violations.length === 0) {
      return write(to, response, headers)
    }

    const { status } = response
    log.error({ requestId, path, status, violations }, 'response validation failed')
    if (responseValidation === 'log') {
      write(to, response, headers)
    } else {
      write(to, withMediaType(to, toErrorResponse(internalError(violations))), locals.headers)
    }
  }
}

function errorCodeOf({ status, body }: AnyResponse): string | undefined {
  const code = status >= 400 && isObject(body) ? body['code'] : undefined
  return typeof code === 'string' ? code : undefined
}

function toContent(body: unknown, mediaType: string): string | Uint8Array {
  // Connections share bytes; each has its own copy of a text until the client has read it.
  const content = isJsonType(mediaType) ? JSON.stringify(body) : body
  return content instanceof Uint8Array ? content : String(content)
}

// A flat list: node:http sends it with the content in one write. `flat` and `map` would take 2 µs.
function toFields(headers: ResponseHeaders, forms: HeaderForms | undefined): string[] {
  const fields: string[] = []
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined) {
      continue
    }

    const form = forms?.get(name)
    if (typeof value !== 'object' && form?.isJson !== true) {
      fields.push(name, String(value))
    } else {
      addFields(fields, name, value, form)
    }
  }
  return fields
}

type HeaderForms = ReadonlyMap<string, HeaderForm>

function addFields(
  fields: string[],
  name: string,
  value: HeaderValue,
  form: HeaderForm | undefined,
): void {
  // RFC 6265, section 3: each cookie has a field of its own.
  const isCookies = Array.isArray(value) && name.toLowerCase() === 'set-cookie'
  if (isCookies) {
    for (const cookie of value) {
      fields.push(name, String(cookie))
    }
  } else {
    fields.push(name, printHeader(value, form))
  }
}
