import type { IncomingMessage } from 'node:http'
import type { Request, RequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Contract } from '../contract/contract.ts'
import { ApiError } from '../contract/errors.ts'
import type { Operation } from '../contract/operation.ts'
import { hasItems, kindOf } from '../description/content-kind.ts'
import { isJsonType } from '../description/media-types.ts'
import { credentialNames } from '../description/security.ts'
import type { OpenStreams } from '../http/open-streams.ts'
import { UpstreamConnections } from './connections.ts'
import { DriftReport } from './drift.ts'
import {
  type CredentialNames,
  requestFields,
  responseFields,
  targetWithoutCredentials,
} from './header-fields.ts'
import { maxCheckedBytes, ResponseCheck } from './response-check.ts'
import { readContent, unreadContent } from './sent-content.ts'
import { StreamCheck } from './stream-check.ts'

/** Statuses of responses to credentials that are not accepted. */
const rejectsCredentials: ReadonlySet<number | undefined> = new Set([401, 403])

export interface UpstreamOptions {
  readonly config: Config
  readonly contract: Contract
  /** The operations that it implements. */
  readonly operationIds: ReadonlySet<string>
  readonly streams: OpenStreams
  /** Once it is aborted, connections of clients are closed after the response. */
  readonly stopping: AbortSignal
  readonly log: Logger
}

/** The service that implements the operations without a handler: requests are forwarded to it. */
export class Upstream {
  /** Requests that matched no operation and were forwarded. */
  undeclared = 0
  /** Responses of JSON that were too large to be validated. */
  unchecked = 0
  readonly drift: DriftReport
  readonly connections: UpstreamConnections
  readonly #options: UpstreamOptions
  readonly #url: URL
  readonly #check: ResponseCheck
  readonly #removed: CredentialNames | undefined

  constructor(options: UpstreamOptions) {
    const { config, contract, operationIds, log } = options
    const { url, timeoutSeconds, credentials } = config.upstream
    const { description } = contract
    this.#options = options
    this.#url = new URL(url)
    this.connections = new UpstreamConnections(this.#url, timeoutSeconds, log)
    this.drift = new DriftReport(operationIds, description.documents.root.value, log)
    this.#check = new ResponseCheck(description)
    this.#removed = credentials === 'forward' ? undefined : namesOfCredentials(contract)
  }

  /** Returns whether requests to an operation are forwarded. */
  implements({ operationId }: Operation): boolean {
    return this.#options.operationIds.has(operationId)
  }

  /**
   * Returns the steps of a request to an operation. What the service does not serve it cannot read either, and
   * forwards without validation.
   */
  stepsOf(
    operation: Operation,
    limit: RequestHandler,
    validationOf: (operation: Operation) => RequestHandler,
  ): readonly RequestHandler[] {
    if (operation.unserved !== undefined) {
      return [limit, this.#forward]
    }

    const validate = validationOf(operation)
    return [
      this.#tolerate((request, response) => readContent(operation, request, response)),
      limit,
      this.#tolerate(async (request, response) => {
        await validate(request, response, () => undefined)
      }),
      this.#forward,
    ]
  }

  /** Forwards a request to an operation, and sends the response, a copy of which is validated. */
  readonly #forward: RequestHandler = async (request, response) => {
    const { operation } = response.locals
    const received = await this.#receive(request, response)
    if (received === undefined || operation === undefined) {
      return
    }

    this.#writeHead(received, response)
    const mediaType = received.headers['content-type'] ?? ''
    if (hasItems(mediaType)) {
      return this.#passItems(operation, received, request, response)
    }

    const isJson = isJsonType(mediaType)
    const readCopy = copyContent(received, isJson ? maxCheckedBytes : 0)
    await this.connections.pass(received, response)
    if (!received.complete) {
      return
    }

    const content = readCopy()
    if (isJson && content.bytes === undefined) {
      this.unchecked++
    }
    const status = received.statusCode ?? 0
    const isOfHead = request.method === 'HEAD'
    const headers = received.headersDistinct
    const drifts = await this.#check.find(operation, { status, headers, content, isOfHead })
    this.drift.reportResponse(response.locals, status, drifts)
  }

  /** Sends a stream of items, which are validated as they pass. */
  async #passItems(
    operation: Operation,
    received: IncomingMessage,
    { method }: Request,
    response: Response,
  ): Promise<void> {
    const { statusCode: status = 0, headersDistinct: headers } = received
    const { locals } = response
    const isOfHead = method === 'HEAD'
    const content = { size: isOfHead ? 0 : 1, bytes: undefined }
    const driftsOfHead = await this.#check.find(operation, { status, headers, content, isOfHead })
    this.drift.reportResponse(locals, status, driftsOfHead)

    const check = this.#streamCheckOf(operation, received)
    received.on('data', (chunk: Buffer) => {
      locals.streamedBytes = (locals.streamedBytes ?? 0) + chunk.length
      this.drift.reportResponse(locals, status, check?.read(chunk) ?? [])
    })
    await this.connections.pass(received, response)
    if (received.complete) {
      this.drift.reportResponse(locals, status, check?.end() ?? [])
    }
    if (check?.isReading === false) {
      this.unchecked++
    }
  }

  /** Returns the check of the items of a stream; undefined if it is not declared, or compressed. */
  #streamCheckOf(operation: Operation, received: IncomingMessage): StreamCheck | undefined {
    const { statusCode: status = 0, headers } = received
    const mediaType = headers['content-type'] ?? ''
    const errors = this.#check.itemErrorsOf(operation, status, mediaType)
    const coding = headers['content-encoding'] ?? 'identity'
    return errors === undefined || coding !== 'identity'
      ? undefined
      : new StreamCheck(mediaType, errors, maxCheckedBytes)
  }

  /** Counts a stream of items, and sends its headers at once. */
  #beginItems(mediaType: string, response: Response): void {
    // Clients of events reconnect, and drop an event that is not complete.
    const end = { stop: () => response.destroy(), isAtOnce: true }
    response.flushHeaders()
    this.#options.streams.add({ response }, kindOf(mediaType) === 'events' ? end : undefined)
  }

  /** Forwards a request that matches no operation. */
  readonly forwardUndeclared: RequestHandler = async (request, response) => {
    this.undeclared++
    const received = await this.#receive(request, response)
    if (received !== undefined) {
      this.#writeHead(received, response)
      await this.connections.pass(received, response)
    }
  }

  /** Closes the connections. */
  close(): void {
    this.connections.close()
  }

  /** Sends a request to the upstream; returns the response once its head is here, or undefined if the client has left. */
  async #receive(request: Request, response: Response): Promise<IncomingMessage | undefined> {
    const { locals } = response
    const content = locals.sentContent ?? unreadContent(request)
    const removed = this.#removed
    const fields = requestFields(request, locals, {
      host: this.#url.host,
      isBehindProxy: this.#options.config.trustProxy > 0,
      removed,
      length: content.isComplete ? content.size : undefined,
    })
    const path = this.#url.pathname.replace(/\/$/, '')
    const sentTarget =
      removed === undefined ? request.originalUrl : targetWithoutCredentials(locals)
    const forwarded = { method: request.method, target: path + sentTarget, fields, content }

    const received = await this.connections.send(forwarded, request, response)
    if (received !== undefined && !rejectsCredentials.has(received.statusCode)) {
      locals.countAccepted?.()
    }
    return received
  }

  /** Sends the head of a response to the client; throws an `ApiError` of 503 if it is that of one stream too many. */
  #writeHead(received: IncomingMessage, response: Response): void {
    const { config, stopping } = this.#options
    const mediaType = received.headers['content-type'] ?? ''
    const isStream = hasItems(mediaType)
    if (isStream) {
      this.#assertFree(received, response)
    }

    if (stopping.aborted) {
      response.setHeader('Connection', 'close')
    }
    const fields = responseFields(received, response, config.corsOrigins.length > 0)
    response.writeHead(received.statusCode ?? 502, received.statusMessage, fields)
    if (isStream) {
      this.#beginItems(mediaType, response)
    }
  }

  /** Throws an `ApiError` of 503 if no more stream may be opened. */
  #assertFree(received: IncomingMessage, response: Response): void {
    try {
      this.#options.streams.assertFree({ response })
    } catch (error) {
      received.destroy()
      throw error
    }
  }

  /** Returns a check that logs what it rejects, and lets it pass, if UPSTREAM_REQUESTS says so. */
  #tolerate(check: Check): RequestHandler {
    const isTolerant = this.#options.config.upstream.requests === 'log'
    return async (request, response, next) => {
      const { locals } = response
      // What follows a violation would find the same again.
      if (locals.isTolerated) {
        return next()
      }
      try {
        await check(request, response)
      } catch (error) {
        if (!isTolerant || !(error instanceof ApiError)) {
          throw error
        }
        locals.isTolerated = true
        this.drift.reportRequest(locals, error)
      }
      next()
    }
  }
}

/** Rejects with an `ApiError` if a request violates the description. */
type Check = (request: Request, response: Response) => Promise<void>

declare global {
  namespace Express {
    interface Locals {
      /** Whether the request is forwarded although it violates the description. */
      isTolerated?: boolean
    }
  }
}

/**
 * Copies the content of a message as it arrives; returns a function that returns the size and the copy, which
 * content of more than `maxBytes` has not.
 */
function copyContent(received: IncomingMessage, maxBytes: number) {
  let chunks: Buffer[] = []
  let size = 0
  received.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxBytes) {
      chunks = []
    } else {
      chunks.push(chunk)
    }
  })
  return function readCopy() {
    return { size, bytes: size > maxBytes ? undefined : Buffer.concat(chunks) }
  }
}

/** Returns the names of what carries the credentials of a description's security schemes. */
function namesOfCredentials({ description: { securitySchemes } }: Contract): CredentialNames {
  const headers = ['Authorization', ...credentialNames(securitySchemes, 'header')]
  return {
    headers: new Set(headers.map((name) => name.toLowerCase())),
    cookies: credentialNames(securitySchemes, 'cookie'),
  }
}
