import type { IncomingMessage } from 'node:http'
import type { Request, RequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Contract } from '../contract/contract.ts'
import { ApiError } from '../contract/errors.ts'
import type { Operation } from '../contract/operation.ts'
import { isJsonType } from '../description/media-types.ts'
import { credentialNames } from '../description/security.ts'
import { UpstreamConnections } from './connections.ts'
import { DriftReport } from './drift.ts'
import { type CredentialNames, requestFields, responseFields, sentTarget } from './header-fields.ts'
import { maxCheckedBytes, ResponseCheck } from './response-check.ts'
import { readContent, unreadContent } from './sent-content.ts'

export interface UpstreamOptions {
  readonly config: Config
  readonly contract: Contract
  /** The operations that it implements. */
  readonly operationIds: ReadonlySet<string>
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
    const received = await this.#send(request, response)
    if (received === undefined || operation === undefined) {
      return
    }

    const isJson = isJsonType(received.headers['content-type'] ?? '')
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

  /** Forwards a request that matches no operation. */
  readonly forwardUndeclared: RequestHandler = async (request, response) => {
    this.undeclared++
    const received = await this.#send(request, response)
    if (received !== undefined) {
      await this.connections.pass(received, response)
    }
  }

  /** Closes the connections. */
  close(): void {
    this.connections.close()
  }

  /** Sends a request, and the head of the response to it; returns that, or undefined if the client has left. */
  async #send(request: Request, response: Response): Promise<IncomingMessage | undefined> {
    const { config, stopping } = this.#options
    const { locals } = response
    const content = locals.sentContent ?? unreadContent(request)
    const removed = this.#removed
    const fields = requestFields(request, locals, {
      host: this.#url.host,
      isBehindProxy: config.trustProxy > 0,
      removed,
      length: content.isComplete ? content.size : undefined,
    })
    const path = this.#url.pathname.replace(/\/$/, '')
    const target = path + sentTarget(request, locals, removed === undefined)
    const forwarded = { method: request.method, target, fields, content }

    const received = await this.connections.send(forwarded, request, response)
    if (received === undefined) {
      return undefined
    }
    if (stopping.aborted) {
      response.setHeader('Connection', 'close')
    }
    const sent = responseFields(received, response, config.corsOrigins.length > 0)
    response.writeHead(received.statusCode ?? 502, received.statusMessage, sent)
    return received
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
