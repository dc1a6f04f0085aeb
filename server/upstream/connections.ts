import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import type { Logger } from 'pino'
import { ApiError, unavailable } from '../contract/errors.ts'
import { safeMethods } from '../description/http-names.ts'
import { reasonOf } from '../process/operator-error.ts'
import { ThrottledLog } from '../process/throttled-log.ts'
import { toFields } from './header-fields.ts'
import { askForContent, type SentContent, streamContent } from './sent-content.ts'

/** Idle connections that are kept for the next requests. */
const maxIdle = 256

/** A request as it is sent to the upstream. */
export interface ForwardedRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** Header fields in a flat list. */
  readonly fields: readonly string[]
  readonly content: SentContent
}

/** The connections to the upstream, which are kept for the next requests. */
export class UpstreamConnections {
  /** Requests that got no response, or not all of one, by the reason. */
  readonly failures = { unavailable: 0, timeout: 0, aborted: 0 }
  readonly #url: URL
  readonly #timeout: number
  readonly #agent: HttpAgent
  readonly #failureLog: ThrottledLog

  constructor(url: URL, timeoutSeconds: number, log: Logger) {
    this.#url = url
    this.#timeout = timeoutSeconds * 1_000
    const options = { keepAlive: true, maxFreeSockets: maxIdle }
    this.#agent = url.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options)
    this.#failureLog = new ThrottledLog(log, {
      level: 'error',
      startMessage: 'upstream unavailable',
      endMessage: 'upstream: no more failures',
      action: 'see that the service at UPSTREAM_URL runs and can be reached',
    })
  }

  /**
   * Sends a request; resolves with the response when its headers have arrived, or undefined if the client has
   * left. Rejects with an `ApiError` of 503 if there is no response.
   */
  async send(
    forwarded: ForwardedRequest,
    request: Request,
    response: Response,
  ): Promise<IncomingMessage | undefined> {
    try {
      return await this.#send(forwarded, request, response)
    } catch (error) {
      if (response.destroyed) {
        return undefined
      }
      if (error instanceof ApiError) {
        throw error
      }
      this.#record(error instanceof UpstreamTimeout ? 'timeout' : 'unavailable', error)
      throw unavailable('The service is unavailable.', 1, error)
    }
  }

  /** Sends the content of a response to the client, as it arrives, and then its trailers. */
  async pass(received: IncomingMessage, response: Response): Promise<void> {
    try {
      await pipeline(received, response, { end: false })
    } catch (error) {
      if (!response.destroyed) {
        this.#record('aborted', error)
        response.destroy()
      }
      return
    }
    const { rawTrailers } = received
    if (rawTrailers.length > 0 && response.chunkedEncoding) {
      response.addTrailers(toFields(rawTrailers))
    }
    response.end()
  }

  /** Closes the idle connections. */
  close(): void {
    this.#agent.destroy()
    this.#failureLog.stop()
  }

  async #send(forwarded: ForwardedRequest, request: Request, response: Response) {
    try {
      return await this.#attempt(forwarded, request, response, this.#agent)
    } catch (error) {
      const isRepeatable = safeMethods.has(forwarded.method) && forwarded.content.isComplete
      if (error instanceof StaleConnection && isRepeatable && !response.destroyed) {
        // On a connection of its own: others in the pool may have been closed, too.
        return await this.#attempt(forwarded, request, response, false)
      }
      throw error
    }
  }

  #attempt(
    { method, target, fields, content }: ForwardedRequest,
    request: Request,
    response: Response,
    agent: HttpAgent | false,
  ): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const { protocol, hostname, port } = this.#url
    const open = protocol === 'https:' ? httpsRequest : httpRequest
    const outgoing = open({
      protocol,
      // Without the brackets of an IPv6 address.
      hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
      port,
      method,
      path: target,
      headers: fields,
      agent,
      timeout: this.#timeout,
    })

    let received: IncomingMessage | undefined
    outgoing.on('response', (message) => {
      received = message
      resolve(message)
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const isClosed = error.code === 'ECONNRESET' || error.code === 'EPIPE'
      const isStale = isClosed && outgoing.reusedSocket
      reject(isStale ? new StaleConnection(error.message, { cause: error }) : error)
    })
    outgoing.on('timeout', () => {
      // The client is slow, which the timeouts of its connection bound.
      const isOfClient = response.writableNeedDrain || !(content.isComplete || request.complete)
      if (!isOfClient) {
        const timeout = new UpstreamTimeout(`no data for ${this.#timeout / 1_000} s`)
        received?.destroy(timeout)
        outgoing.destroy(timeout)
      }
    })
    response.once('close', () => {
      if (!response.writableFinished) {
        outgoing.destroy()
      }
    })

    if (!content.isComplete) {
      askForContent(request, response)
    }
    // The request reports its own errors; content that becomes too large is one of the client.
    pipeline(streamContent(content, request), outgoing).catch(reject)
    return promise
  }

  #record(reason: keyof typeof this.failures, error: unknown): void {
    this.failures[reason]++
    // Without the path, which may hold anything.
    const { protocol, host } = this.#url
    this.#failureLog.record({ upstream: `${protocol}//${host}`, reason: reasonOf(error) }, reason)
  }
}

/** Reports that the upstream sent nothing in time. */
class UpstreamTimeout extends Error {}

/** Reports that a connection of the pool was closed by the upstream, maybe before it read the request. */
class StaleConnection extends Error {}
