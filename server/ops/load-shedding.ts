import { AsyncResource } from 'node:async_hooks'
import type { NextFunction, RequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { ApiError } from '../contract/errors.ts'
import { RejectionLog } from './outage-log.ts'

/** Requests that wait at most, of those that only read and of the others. */
const longestQueue = 5_000

/** Milliseconds after which a timer is late, and for which its request may then still wait. */
const [latestTimer, extension] = [250, 100]

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

type LoadSheddingConfig = Pick<Config, 'requestsAtOnce' | 'overloadWaitMs'>

/** Bounds the requests that are processed at once, those that wait, and how long they wait. */
export class LoadShedding {
  readonly #queues: { readonly reads: Queue; readonly writes: Queue }
  readonly #rejectionLog: RejectionLog
  #rejected = 0
  #lastRejectedAt = Number.NEGATIVE_INFINITY

  constructor({ requestsAtOnce, overloadWaitMs }: LoadSheddingConfig, log: Logger) {
    const reject: QueueOptions['reject'] = (request) => this.#reject(request)
    const options = { requestsAtOnce, overloadWaitMs, reject }
    // Reads are served while the store takes no writes.
    this.#queues = { reads: new Queue(options), writes: new Queue(options) }
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
    const isRecent = performance.now() - this.#lastRejectedAt < logInterval
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

  #reject({ response, next }: Pick<Queued, 'response' | 'next'>): void {
    this.#rejected++
    this.#lastRejectedAt = performance.now()
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
  timer: NodeJS.Timeout | undefined
}

interface QueueOptions extends LoadSheddingConfig {
  readonly reject: (request: Pick<Queued, 'response' | 'next'>) => void
}

/** Requests that are processed, and those that wait, first in, first out. */
class Queue {
  running = 0
  readonly #options: QueueOptions
  // A Set keeps the order, and any request can leave.
  readonly #waiting = new Set<Queued>()

  constructor(options: QueueOptions) {
    this.#options = options
  }

  get waiting(): number {
    return this.#waiting.size
  }

  enter(response: Response, next: NextFunction): void {
    // A client that left while its API key was checked emits no `close` any more.
    if (response.destroyed) return
    if (this.running < this.#options.requestsAtOnce) this.#begin(response, next)
    else if (this.#waiting.size >= longestQueue) this.#options.reject({ response, next })
    else this.#wait(response, next)
  }

  #wait(response: Response, next: NextFunction): void {
    const { overloadWaitMs, reject } = this.#options
    // Another request ends the wait, with another trace.
    const queued: Queued = { response, next: AsyncResource.bind(next), timer: undefined }
    const dueAt = performance.now() + overloadWaitMs
    const expire = () => {
      this.#leave(queued)
      reject(queued)
    }
    queued.timer = setTimeout(() => {
      const isLate = performance.now() - dueAt > latestTimer
      // After a pause of the process, waiting requests are processed first.
      if (isLate) queued.timer = setTimeout(expire, extension)
      else expire()
    }, overloadWaitMs)
    this.#waiting.add(queued)
    response.once('close', () => this.#leave(queued))
  }

  #leave(queued: Queued): void {
    this.#waiting.delete(queued)
    clearTimeout(queued.timer)
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
      this.#leave(queued)
      this.#begin(queued.response, queued.next)
    }
  }
}
