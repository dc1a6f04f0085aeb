import type { Response } from 'express'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { type ApiError, unavailable } from '../contract/errors.ts'
import { ThrottledLog } from '../process/throttled-log.ts'

/** The event of a response that is a stream: its headers are sent, and its content follows in parts. */
export const streamStarted = 'stream started'

/** Seconds of `Retry-After` for a stream beyond the limit. */
const retryAfter = 5

/** Milliseconds before the end of the grace at which streams are cut off. */
const cutOffLead = 500

/** Milliseconds in which a stream sends something while the service stops; else it ends, so that the stop does not wait. */
const quietPeriod = 5_000

/** A stream, by the response that it is the content of. */
export interface OpenStream {
  readonly response: Response
}

/** How a stream ends when the service stops. */
export interface StreamEnd {
  /** Ends the stream between two items. */
  readonly stop: () => void
  /** Whether it ends at once, because its client reconnects; else when it is quiet, or at the end of the grace. */
  readonly isAtOnce: boolean
}

/** The streams that are open: their number, its limit, and their end when the service stops. */
export class OpenStreams {
  /** Streams that ended with an error of their handler, or with an invalid item. */
  failures = 0
  readonly #config: Pick<Config, 'streamsAtOnce' | 'shutdownGraceSeconds'>
  readonly #stopping: AbortSignal
  readonly #log: ThrottledLog
  readonly #open = new Map<OpenStream, StreamEnd | undefined>()
  #quietCheck: NodeJS.Timeout | undefined
  #cutOff: NodeJS.Timeout | undefined

  constructor(
    config: Pick<Config, 'streamsAtOnce' | 'shutdownGraceSeconds'>,
    stopping: AbortSignal,
    log: Logger,
  ) {
    this.#config = config
    this.#stopping = stopping
    this.#log = new ThrottledLog(log, {
      startMessage: 'streams: rejecting beyond STREAMS_AT_ONCE',
      endMessage: 'streams: within STREAMS_AT_ONCE again',
      action: 'find the clients that hold them, or raise STREAMS_AT_ONCE',
    })
    stopping.addEventListener('abort', () => this.#stop(), { once: true })
  }

  /** How many streams are open. */
  get count(): number {
    return this.#open.size
  }

  /** How many streams may be open. */
  get limit(): number {
    return this.#config.streamsAtOnce
  }

  /** Throws an `ApiError` of 503 if no more stream may be opened. */
  assertFree({ response }: OpenStream): void {
    if (this.count >= this.limit) {
      this.#log.record({ open: this.count })
      response.locals.rejectedBy = 'overload'
      throw tooManyStreams()
    }
  }

  /** Counts a stream, whose headers are sent, until it is over. */
  add(stream: OpenStream, end?: StreamEnd): void {
    const { response } = stream
    this.#open.set(stream, end)
    response.once('close', () => this.#open.delete(stream))
    response.locals.streamedBytes = 0
    response.emit(streamStarted)
    if (this.#stopping.aborted && end?.isAtOnce === true) {
      end.stop()
    }
  }

  /** Logs the end of rejections, if there are some; no stream is open any more. */
  close(): void {
    clearInterval(this.#quietCheck)
    clearTimeout(this.#cutOff)
    this.#log.stop()
  }

  #stop(): void {
    for (const end of this.#open.values()) {
      if (end?.isAtOnce === true) {
        end.stop()
      }
    }
    this.#quietCheck = this.#watchQuiet()
    const grace = this.#config.shutdownGraceSeconds * 1_000
    const untilCutOff = Math.max(grace / 2, grace - cutOffLead)
    this.#cutOff = setTimeout(() => this.#stopRest(), untilCutOff).unref()
  }

  /** Ends the streams that have sent nothing for a while: their client does not read, or they have no item. */
  #watchQuiet(): NodeJS.Timeout {
    let sentBefore = this.#sentBytes()
    const stopQuiet = () => {
      for (const [stream, end] of this.#open) {
        if (sentBefore.get(stream) === sentBytes(stream)) {
          end?.stop()
        }
      }
      sentBefore = this.#sentBytes()
    }
    return setInterval(stopQuiet, quietPeriod).unref()
  }

  #sentBytes(): ReadonlyMap<OpenStream, number | undefined> {
    return new Map(Array.from(this.#open.keys(), (stream) => [stream, sentBytes(stream)]))
  }

  #stopRest(): void {
    for (const end of this.#open.values()) {
      end?.stop()
    }
  }
}

function sentBytes({ response }: OpenStream): number | undefined {
  return response.locals.streamedBytes
}

/** Returns the error of a request whose response would be one stream too many. */
export function tooManyStreams(): ApiError {
  return unavailable('The service has too many open streams.', retryAfter)
}
