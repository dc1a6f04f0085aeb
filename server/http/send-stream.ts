import type { Response } from 'express'
import type { Logger } from 'pino'
import { isStreamed } from '../contract/content.ts'
import type { ErrorResponses } from '../contract/error-responses.ts'
import { toErrorResponse } from '../contract/errors.ts'
import type { AnyResponse } from '../contract/handler-response.ts'
import { kindOf } from '../description/content-kind.ts'
import { json } from '../description/media-types.ts'
import { toApiError } from './error-handler.ts'
import { formatOf, printErrorEvent } from './item-format.ts'
import type { OpenStreams } from './open-streams.ts'
import { OutgoingStream } from './outgoing-stream.ts'
import { openParts } from './part-source.ts'
import { sendItems } from './send-items.ts'
import { type StreamedResponse, sendParts } from './send-parts.ts'
import { toContent } from './to-content.ts'

export interface StreamOptions {
  readonly log: Logger
  /** Gives errors the format of the API. */
  readonly errors: ErrorResponses
  /**
   * `strict`: a response that violates the description becomes a 500, and an item ends its stream. `log`: both are
   * sent, and logged.
   */
  readonly responseValidation: 'strict' | 'log'
  readonly streams: OpenStreams
  /** Seconds after which an idle stream of events gets a comment. */
  readonly keepAliveSeconds: number
}

/** Sends a validated response whose body has parts that become available one after the other. */
export type SendStream = (
  to: Response,
  response: AnyResponse & { readonly body: AsyncIterable<unknown> },
  writeHead: StreamedResponse['writeHead'],
) => Promise<void>

/** Returns the function that sends streams: texts and bytes in parts, or items. */
export function createSendStream(options: StreamOptions): SendStream {
  const { log, errors, responseValidation, streams, keepAliveSeconds } = options
  const isStrict = responseValidation === 'strict'

  /** Returns the body of the response to an error, in the format of the API. */
  function bodyOf(thrown: unknown, { locals }: Response): string {
    const { response } = errors.prepare(toErrorResponse(toApiError(thrown)), locals)
    const { body, mediaType = json } = response
    return body === undefined ? '' : String(toContent(body, kindOf(mediaType)))
  }

  return async function sendStream(to, response, writeHead) {
    const { status, mediaType = json, contentLength } = response
    const { operation, requestId, path } = to.locals
    const stream = new OutgoingStream(to, openParts(response.body))
    if (to.req.method === 'HEAD') {
      writeHead(contentLength === undefined ? {} : { 'Content-Length': contentLength })
      return stream.end()
    }

    function onFailure(error: unknown): void {
      streams.failures++
      log.error({ requestId, path, err: error }, 'stream failed')
    }

    function onViolations(violations: readonly string[]): void {
      streams.failures += Number(isStrict)
      to.locals.violations = violations
      log.error({ requestId, path, violations }, 'stream item validation failed')
    }

    const streamed = { stream, mediaType, contentLength, writeHead }
    const described = errors.validator.itemsOf(operation, status, mediaType)
    if (described === undefined) {
      return sendParts(streamed, streams, onFailure)
    }
    return sendItems(streamed, streams, {
      format: formatOf(mediaType, described.items),
      findViolations: described.findViolations,
      keepAliveSeconds,
      isStrict,
      onViolations,
      onFailure,
      printError: (error) => printErrorEvent(bodyOf(error, to)),
    })
  }
}

/** Ends the source of a response that is not sent. */
export function discardParts({ body }: AnyResponse): void {
  if (isStreamed(body)) {
    openParts(body).cancel()
  }
}
