import { AsyncResource } from 'node:async_hooks'
import type { NextFunction, RequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { ApiError, adviceToWait } from '../contract/errors.ts'
import { ThrottledLog } from '../process/throttled-log.ts'

/** Requests that wait at most, of those that only read and of the others. */
const maxQueueLength = 5_000

/** Checks of the queues after which a request has waited for too long. */
const maxChecks = 4

/** Seconds of `Retry-After` at most. */
export const maxRetryAfter = 4

/** Methods that only read (RFC 9110, section 9.2.1). */
const safe: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

interface QueuedRequest {
  readonly response: Response
  readonly next: NextFunction
  checks: number
}

/** Requests that are processed, and those that wait, first in, first out. */
interface Queue {
  running: number
  // A Set keeps the order, and any request can leave.
  readonly waiting: Set<QueuedRequest>
}

/** Bounds the requests that are processed at once, those that wait, and how long they wait. */
export class LoadShedding {
  readonly #requestsAtOnce: number
  readonly #log: ThrottledLog
  readonly #timer: NodeJS.Timeout
  // Reads are served while the store takes no writes.
  readonly #reads: Queue = { running: 0, waiting: new Set() }
  readonly #writes: Queue = { running: 0, waiting: new Set() }

  constructor(config: Pick<Config, 'requestsAtOnce' | 'overloadWaitMs'>, log: Logger) {
    this.#requestsAtOnce = config.requestsAtOnce
    const interval = config.overloadWaitMs / maxChecks
    this.#timer = setInterval(() => this.#check(), interval).unref()
    this.#log = new ThrottledLog(log, {
      startMessage: 'overload: shedding requests',
      endMessage: 'overload: ended',
      action: 'if the store is slow, see its log lines; else start more instances',
    })
  }

  /** Lets a request pass, or wait; rejects it with 503 and `Retry-After` if it waits too long. */
  readonly limit: RequestHandler = ({ method }, response, next) => {
    // A client that left while its API key was checked emits no `close` any more.
    if (response.destroyed) {
      return
    }
    const queue = safe.has(method) ? this.#reads : this.#writes
    if (queue.running < this.#requestsAtOnce) {
      this.#begin(queue, response, next)
    } else if (queue.waiting.size >= maxQueueLength) {
      this.#reject(response, next)
    } else {
      // Another request ends the wait, with another trace.
      const request = { response, next: AsyncResource.bind(next), checks: 0 }
      queue.waiting.add(request)
      response.once('close', () => queue.waiting.delete(request))
    }
  }

  /** Requests that wait. */
  get waiting(): number {
    return this.#reads.waiting.size + this.#writes.waiting.size
  }

  /** Whether requests wait, and others were rejected in the last half a minute. */
  get isOverloaded(): boolean {
    return this.#log.isActive && this.waiting > 0
  }

  /** Logs the end of an overload, if there is one. */
  stop(): void {
    clearInterval(this.#timer)
    this.#log.stop()
  }

  #begin(queue: Queue, response: Response, next: NextFunction): void {
    queue.running++
    let isOver = false
    const end = () => {
      if (isOver) {
        return
      }
      isOver = true
      queue.running--
      // Not at once: a queue of invalid requests would be as many calls inside each other.
      if (queue.waiting.size > 0) {
        process.nextTick(() => this.#beginNext(queue))
      }
    }
    // `prefinish`: a client that reads slowly keeps no other one waiting.
    response.once('prefinish', end).once('close', end)
    next()
  }

  #beginNext(queue: Queue): void {
    const [first] = queue.waiting
    if (first === undefined || queue.running >= this.#requestsAtOnce) {
      return
    }
    queue.waiting.delete(first)
    this.#begin(queue, first.response, first.next)
  }

  // Counted, not measured: a pause of the process is one check, so that what has waited meanwhile
  // is processed first.
  #check(): void {
    for (const { waiting } of [this.#reads, this.#writes]) {
      for (const request of waiting) {
        if (++request.checks < maxChecks) {
          continue
        }
        waiting.delete(request)
        this.#reject(request.response, request.next)
      }
    }
  }

  #reject(response: Response, next: NextFunction): void {
    const running = this.#reads.running + this.#writes.running
    this.#log.record({ running, waiting: this.waiting })
    response.locals.rejectedBy = 'overload'
    // Random: clients that are rejected together should not return together.
    next(overloaded(1 + Math.floor(Math.random() * maxRetryAfter)))
  }
}

/** Returns the error of a request that is shed, with the seconds after which it may be repeated. */
export function overloaded(seconds: number): ApiError {
  const message = `The service is overloaded. ${adviceToWait(seconds)}`
  const headers = { 'Retry-After': seconds }
  return new ApiError({ status: 503, code: 'unavailable' }, message, { headers })
}
