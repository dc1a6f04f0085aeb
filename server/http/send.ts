import type { Response } from 'express'
import { isStreamed } from '../contract/content.ts'
import { internalError, toErrorResponse } from '../contract/errors.ts'
import type { AnyResponse } from '../contract/handler-response.ts'
import { type HeaderForm, type HeaderValue, printHeader } from '../contract/header-value.ts'
import { mergeHeaders, type ResponseHeaders } from '../contract/headers.ts'
import { STATUS_CODES } from '../description/http-names.ts'
import { isObject } from '../description/json.ts'
import { json } from '../description/media-types.ts'
import { preferredType } from './accept-header.ts'
import { contentTypeField } from './content-type-field.ts'
import { createSendStream, discardParts, type StreamOptions } from './send-stream.ts'
import { toContent } from './to-content.ts'

export interface SendOptions extends StreamOptions {
  /** Once it is aborted, connections are closed after the response. */
  readonly stopping: AbortSignal
}

/**
 * Validates a response and sends it. A stream is sent until the promise resolves, which rejects if it fails before
 * anything was sent.
 */
export type Send = (to: Response, response: AnyResponse) => void | Promise<void>

/** A response as it can be sent. */
interface Prepared {
  readonly response: AnyResponse
  readonly headers: ResponseHeaders
  /** Where it violates the description. */
  readonly violations: readonly string[]
}

/** Returns the one function that sends responses: every response is validated first. */
export function createSend(options: SendOptions): Send {
  const { log, errors, responseValidation, stopping } = options
  const { validator } = errors
  const sendStream = createSendStream(options)

  function write(to: Response, prepared: Prepared): void | Promise<void> {
    const { response, headers } = prepared
    const { status, body } = response
    const { operation } = to.locals
    if (to.headersSent || to.destroyed) {
      return discardParts(response)
    }

    const { isNegotiated, headerForms, kind } = validator.sendingOf(operation, response)
    if (isNegotiated) {
      to.vary('Accept')
    }
    // With the reason phrase: a `writeHead` that has failed may have set another one.
    const reason = STATUS_CODES[status]
    if (body === undefined) {
      // Without the length, node:http would send chunked content; 204 and 304 never have one.
      const isWithoutLength = status === 204 || status === 304
      const lengthHeader = isWithoutLength ? {} : { 'Content-Length': 0 }
      to.writeHead(status, reason, toFields({ ...headers, ...lengthHeader }, headerForms)).end()
      return
    }

    const { mediaType = json } = response
    if (isStreamed(body)) {
      return sendStream(to, { ...response, body }, (contentHeaders) => {
        const allHeaders = { ...headers, 'Content-Type': mediaType, ...contentHeaders }
        to.writeHead(status, reason, toFields(allHeaders, headerForms))
      })
    }

    const content = toContent(body, kind)
    const contentHeaders = {
      'Content-Type': contentTypeField(mediaType, content),
      'Content-Length': Buffer.byteLength(content),
    }
    const fields = toFields({ ...headers, ...contentHeaders }, headerForms)
    // In response to HEAD, node:http omits the content.
    to.writeHead(status, reason, fields).end(content)
  }

  /** Returns a response with its media type: that of its sender, or of those declared the one that is preferred. */
  function withMediaType(to: Response, response: AnyResponse): AnyResponse {
    const { locals, req } = to
    if (response.mediaType !== undefined || response.body === undefined || !locals.isApiRequest) {
      return response
    }
    const types = validator.mediaTypesOf(locals.operation, response)
    const mediaType = types.length > 1 ? preferredType(req, types) : undefined
    return { ...response, mediaType: mediaType ?? types[0] ?? json }
  }

  /** Returns a response without an error as it can be sent. */
  function prepareContent(to: Response, withoutType: AnyResponse): Prepared {
    const { locals } = to
    const response = withMediaType(to, withoutType)
    const headers = mergeHeaders(locals.headers, response.headers)
    if (!locals.isApiRequest) {
      return { response, headers, violations: [] }
    }

    const violations = validator.validate(locals.operation, response, headers)
    return violations.length === 0
      ? { response, headers, violations }
      : errors.fit(response, headers, locals)
  }

  /** Returns a response as it can be sent, and where it violates the description. */
  function prepare(to: Response, response: AnyResponse): Prepared {
    const { locals } = to
    const { error } = response
    locals.errorCode = errorCodeOf(response)
    if (error === undefined) {
      return prepareContent(to, response)
    }

    const prepared = errors.prepare({ ...response, error }, locals)
    if (prepared.failure !== undefined) {
      const { requestId, path } = locals
      log.error({ requestId, path, err: prepared.failure }, 'error format failed')
    }
    return prepared
  }

  return function send(to, response) {
    const { locals } = to
    const prepared = prepare(to, response)
    const { violations } = prepared
    locals.violations = violations
    if (stopping.aborted) {
      to.setHeader('Connection', 'close')
    }
    if (violations.length === 0) {
      return write(to, prepared)
    }

    const { requestId, path } = locals
    const { status } = response
    log.error({ requestId, path, status, violations }, 'response validation failed')
    if (responseValidation === 'log') {
      return write(to, prepared)
    }
    discardParts(response)
    return write(to, prepare(to, toErrorResponse(internalError(violations))))
  }
}

function errorCodeOf({ status, body, error }: AnyResponse): string | undefined {
  const ofBody = status >= 400 && isObject(body) ? body['code'] : undefined
  const code = error?.code ?? ofBody
  return typeof code === 'string' ? code : undefined
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
