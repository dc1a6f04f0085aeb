import { AsyncResource } from 'node:async_hooks'
import type { NextFunction, RequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { type ApiError, unavailable } from '../contract/errors.ts'
import { safeMethods } from '../description/http-names.ts'
import { streamStarted } from '../http/open-streams.ts'
import { ThrottledLog } from '../process/throttled-log.ts'

/** Requests that wait at most in each queue. */
const maxQueueLength = 5_000

/** Checks of its queue that a request waits for; at the last one it is rejected. */
const checksPerWait = 4

/** Seconds of `Retry-After` at most. */
export const maxRetryAfter = 4

interface QueuedRequest {
  readonly response: Response
  readonly next: NextFunction
  /** The number of the check at which it is rejected. */
  readonly lastCheck: number
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
  // Clients may take minutes to send them.
  readonly #uploads: Queue = { running: 0, waiting: new Set() }
  /** The number of the last check of the queues, from 1. */
  #checkNumber = 0

  constructor(config: Pick<Config, 'requestsAtOnce' | 'overloadWaitMs'>, log: Logger) {
    this.#requestsAtOnce = config.requestsAtOnce
    const interval = config.overloadWaitMs / checksPerWait
    this.#timer = setInterval(() => this.#check(), interval).unref()
    this.#log = new ThrottledLog(log, {
      startMessage: 'overload: shedding requests',
      endMessage: 'overload: ended',
      action: 'if the store is slow, see its log lines; else start more instances',
    })
  }

  /** Lets a request pass, or wait; rejects it with 503 and `Retry-After` if it waits too long. */
  readonly limit: RequestHandler = ({ method }, response, next) => {
    this.#limit(safeMethods.has(method) ? this.#reads : this.#writes, response, next)
  }

  /** Limits requests in the same way whose content arrives while they are processed, for the service or its handler. */
  readonly limitUploads: RequestHandler = (_request, response, next) => {
    this.#limit(this.#uploads, response, next)
  }

  #limit(queue: Queue, response: Response, next: NextFunction): void {
    // A client that left while its API key was checked emits no `close` any more.
    if (response.destroyed) {
      return
    }
    if (queue.running < this.#requestsAtOnce) {
      this.#begin(queue, response, next)
    } else if (queue.waiting.size >= maxQueueLength) {
      this.#reject(response, next)
    } else {
      // The wait ends in the context of another request. Bound, the request keeps its own trace.
      const lastCheck = this.#checkNumber + checksPerWait
      const request = { response, next: AsyncResource.bind(next), lastCheck }
      queue.waiting.add(request)
      response.once('close', () => queue.waiting.delete(request))
    }
  }

  get #queues(): readonly Queue[] {
    return [this.#reads, this.#writes, this.#uploads]
  }

  /** Requests that wait. */
  get waiting(): number {
    return this.#queues.reduce((sum, { waiting }) => sum + waiting.size, 0)
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
    let hasEnded = false
    const end = () => {
      if (hasEnded) {
        return
      }
      hasEnded = true
      queue.running--
      // Later, because a queue of invalid requests would be as many calls inside each other.
      if (queue.waiting.size > 0) {
        process.nextTick(() => this.#beginNext(queue))
      }
    }
    // No request waits for a client that reads slowly, or gets a stream.
    response.once('prefinish', end).once(streamStarted, end).once('close', end)
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

  /**
   * Rejects the requests that have waited for too long. Checks are counted because a measured time would include
   * pauses of the process. However long a pause is, one check follows, and most requests that waited are processed.
   */
  #check(): void {
    this.#checkNumber++
    for (const { waiting } of this.#queues) {
      for (const request of waiting) {
        // The requests behind this one came later.
        if (request.lastCheck > this.#checkNumber) {
          break
        }
        waiting.delete(request)
        this.#reject(request.response, request.next)
      }
    }
  }

  #reject(response: Response, next: NextFunction): void {
    const running = this.#queues.reduce((sum, queue) => sum + queue.running, 0)
    this.#log.record({ running, waiting: this.waiting })
    response.locals.rejectedBy = 'overload'
    // Random: clients that are rejected together should not return together.
    next(overloaded(1 + Math.floor(Math.random() * maxRetryAfter)))
  }
}

/** Returns the error of a request that is shed, with the seconds after which it may be repeated. */
export function overloaded(seconds: number): ApiError {
  return unavailable('The service is overloaded.', seconds)
}
