import { AsyncResource } from 'node:async_hooks'
import type { NextFunction, RequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { ApiError } from '../contract/errors.ts'
import { RejectionLog } from './outage-log.ts'

/** Requests that wait at most, of those that only read and of the others. */
const longestQueue = 5_000

/** Milliseconds between two checks of a queue, and after which a check is late. */
const [checkInterval, latestCheck] = [100, 250]

/** Milliseconds between two lines of the log about an overload. */
const logInterval = 10_000

/** Methods that only read (RFC 9110, section 9.2.1). */
const safe: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The load of the service, for metrics. */
export interface Load {
  /** Whether requests are being rejected. */
  readonly isOverloaded: boolean
  /** Requests that were rejected since the start. */
  readonly rejected: number
  readonly running: number
  readonly waiting: number
}

export interface LoadSheddingOptions {
  readonly config: Pick<Config, 'requestsAtOnce' | 'overloadWaitMs'>
  readonly log: Logger
  /** A monotonic clock in milliseconds. */
  readonly now?: (() => number) | undefined
}

/** Bounds the requests that are processed at once, those that wait, and how long they wait. */
export class LoadShedding {
  readonly #queues: { readonly reads: Queue; readonly writes: Queue }
  readonly #rejectionLog: RejectionLog
  readonly #now: () => number
  #rejected = 0
  #lastRejectedAt = Number.NEGATIVE_INFINITY

  constructor({ config, log, now = () => performance.now() }: LoadSheddingOptions) {
    const options = { ...config, now, reject: (request: Queued) => this.#reject(request) }
    // Reads are served while the store takes no writes.
    this.#queues = { reads: new Queue(options), writes: new Queue(options) }
    this.#now = now
    this.#rejectionLog = new RejectionLog({
      ...{ log, interval: logInterval, begun: 'overload: shedding requests' },
      over: 'overload: over',
      action: 'if the store is slow, see its log lines; else start more instances',
      state: () => this.#counts(),
    })
  }

  /** Lets a request pass, or wait; rejects it with 503 and `Retry-After` if it waits too long. */
  readonly limit: RequestHandler = (request, response, next) => {
    const { reads, writes } = this.#queues
    ;(safe.has(request.method) ? reads : writes).enter(response, next)
  }

  load(): Load {
    const counts = this.#counts()
    const isRecent = this.#now() - this.#lastRejectedAt < logInterval
    return { isOverloaded: isRecent && counts.waiting > 0, rejected: this.#rejected, ...counts }
  }

  /** Logs the end of an overload, if there is one. */
  stop(): void {
    this.#rejectionLog.stop()
  }

  #counts() {
    const { reads, writes } = this.#queues
    return { running: reads.running + writes.running, waiting: reads.waiting + writes.waiting }
  }

  #reject({ response, next }: Queued): void {
    this.#rejected++
    this.#lastRejectedAt = this.#now()
    this.#rejectionLog.note()
    response.locals.isShed = true
    // Random: clients that are rejected together should not return together.
    const seconds = 1 + Math.floor(Math.random() * 4)
    const unit = seconds === 1 ? 'second' : 'seconds'
    const message = `The service is overloaded. Retry in ${seconds} ${unit}.`
    const headers = { 'Retry-After': seconds }
    next(new ApiError({ status: 503, code: 'unavailable' }, message, { headers }))
  }
}

/** A request that waits. */
interface Queued {
  readonly response: Response
  readonly next: NextFunction
  readonly since: number
}

interface QueueOptions {
  readonly requestsAtOnce: number
  readonly overloadWaitMs: number
  readonly reject: (request: Queued) => void
  readonly now: () => number
}

/** Requests that are processed, and those that wait, first in, first out. */
class Queue {
  running = 0
  readonly #options: QueueOptions
  // A Set keeps the order, and any request can leave.
  readonly #waiting = new Set<Queued>()
  #timer: NodeJS.Timeout | undefined
  #checkedAt = 0
  #isSkipped = false

  constructor(options: QueueOptions) {
    this.#options = options
  }

  get waiting(): number {
    return this.#waiting.size
  }

  enter(response: Response, next: NextFunction): void {
    // A client that left while its API key was checked emits no `close` any more.
    if (response.destroyed) return
    if (this.running < this.#options.requestsAtOnce) return void this.#begin(response, next)
    // Another request ends the wait, with another trace.
    const since = this.#options.now()
    const queued = { response, next: AsyncResource.bind(next), since }
    if (this.#waiting.size >= longestQueue) return void this.#options.reject(queued)
    this.#waiting.add(queued)
    response.once('close', () => this.#waiting.delete(queued))
    if (this.#timer !== undefined) return
    this.#checkedAt = since
    this.#timer = setInterval(() => this.#rejectLate(), checkInterval).unref()
  }

  #begin(response: Response, next: NextFunction): void {
    this.running++
    let isOver = false
    const end = () => {
      if (isOver) return
      isOver = true
      this.running--
      this.#advance()
    }
    // `prefinish`: a client that reads slowly keeps no other one waiting.
    response.once('prefinish', end).once('close', end)
    next()
  }

  #advance(): void {
    for (const queued of this.#waiting) {
      if (this.running >= this.#options.requestsAtOnce) return
      this.#waiting.delete(queued)
      this.#begin(queued.response, queued.next)
    }
  }

  #rejectLate(): void {
    const { now, overloadWaitMs, reject } = this.#options
    const at = now()
    // After a pause of the process, waiting requests are processed first; only once, since every
    // check may be late.
    this.#isSkipped = !this.#isSkipped && at - this.#checkedAt >= latestCheck
    this.#checkedAt = at
    if (this.#isSkipped) return
    for (const queued of this.#waiting) {
      if (at - queued.since < overloadWaitMs) break
      this.#waiting.delete(queued)
      reject(queued)
    }
    if (this.#waiting.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
