import { AsyncResource } from 'node:async_hooks'
import type { NextFunction, RequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { ApiError } from '../contract/errors.ts'
import { createEpisode, type Episode } from './episode.ts'

/** Requests that wait at most, of those that read and of the others. */
export const longestQueue = 5_000

/** Milliseconds between two checks of the queues, and after which a check is late. */
const [checkInterval, latestCheck] = [100, 250]

/** Milliseconds between two lines of the log on one overload. */
const logInterval = 10_000

/** The load of the service, for metrics. */
export interface Load {
  /** Whether requests are being rejected. */
  readonly isOverloaded: boolean
  /** Requests that were rejected since the start. */
  readonly refused: number
  readonly running: number
  readonly waiting: number
}

/** A request that waits. */
interface QueuedRequest {
  readonly response: Response
  readonly next: NextFunction
  readonly since: number
}

export interface LoadSheddingOptions {
  readonly config: Pick<Config, 'requestsAtOnce' | 'overloadWaitMs'>
  readonly log: Logger
  /** A monotonic clock in milliseconds. */
  readonly now?: (() => number) | undefined
}

/** Bounds the requests that are worked on at once, those that wait for that, and how long they wait. */
export interface LoadShedding {
  /** Lets a request pass, or wait; rejects it with 503 and `Retry-After` where it would wait too long. */
  readonly limit: RequestHandler
  readonly load: () => Load
  /** Logs the end of an overload that is going on. */
  readonly stop: () => void
}

/** Methods that only read (RFC 9110, section 9.2.1). */
const safe: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

const messages = {
  begun:
    'overload: shedding requests. Where the store is slow or locked, which is a line of its own, look there. Otherwise start more instances, or let clients send less; REQUESTS_AT_ONCE and OVERLOAD_WAIT_MS are the limits.',
  goesOn: 'overload: still shedding requests',
  over: 'overload: over',
}

/** Creates the load shedding of a service. */
export function createLoadShedding({ config, log, now }: LoadSheddingOptions): LoadShedding {
  let refused = 0
  let lastAt = Number.NEGATIVE_INFINITY
  const shed = (next: NextFunction, response: Response) => {
    refused++
    lastAt = options.now()
    episode.note()
    response.locals.isShed = true
    next(overloaded())
  }
  const options = { ...config, shed, now: now ?? (() => performance.now()) }
  // Reads are served while the store takes no writes.
  const [reads, writes] = [new Queue(options), new Queue(options)]
  const state = () => ({
    running: reads.running + writes.running,
    waiting: reads.waiting + writes.waiting,
  })
  const episode: Episode = createEpisode({ log, messages, state, interval: logInterval })
  return {
    limit: (request, response, next) =>
      (safe.has(request.method) ? reads : writes).enter(response, next),
    load: () => ({
      isOverloaded: options.now() - lastAt < logInterval && state().waiting > 0,
      refused,
      ...state(),
    }),
    stop: episode.stop,
  }
}

/** Returns the error of a rejected request: clients that are rejected together should not return together. */
function overloaded(): ApiError {
  const seconds = 1 + Math.floor(Math.random() * 4)
  const unit = seconds === 1 ? 'second' : 'seconds'
  const message = `The service is overloaded. Retry in ${seconds} ${unit}.`
  const headers = { 'Retry-After': seconds }
  return new ApiError({ status: 503, code: 'unavailable' }, message, { headers })
}

interface QueueOptions {
  readonly requestsAtOnce: number
  readonly overloadWaitMs: number
  readonly shed: (next: NextFunction, response: Response) => void
  readonly now: () => number
}

/** Requests that are worked on, and those that wait for one of them to end, first in, first out. */
class Queue {
  running = 0
  readonly #options: QueueOptions
  // A Set keeps the order of insertion, and lets any request leave.
  readonly #waiting = new Set<QueuedRequest>()
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
    // A client that left while its API key was checked sends no `close` any more.
    if (response.destroyed) return
    if (this.running < this.#options.requestsAtOnce) this.#begin(response, next)
    else if (this.#waiting.size >= longestQueue) this.#options.shed(next, response)
    // Whoever ends the wait is another request, with another trace.
    else this.#queue({ response, next: AsyncResource.bind(next), since: this.#options.now() })
  }

  #queue(queued: QueuedRequest): void {
    this.#waiting.add(queued)
    queued.response.once('close', () => this.#waiting.delete(queued))
    if (this.#timer !== undefined) return
    this.#checkedAt = queued.since
    this.#timer = setInterval(() => this.#shedLate(), checkInterval).unref()
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
    // A client that takes its time to read the response keeps no other one waiting.
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

  #shedLate(): void {
    const { now, overloadWaitMs, shed } = this.#options
    const at = now()
    // After a pause of the process, requests that have waited get their turn first; only once, since
    // every check may be late.
    this.#isSkipped = !this.#isSkipped && at - this.#checkedAt >= latestCheck
    this.#checkedAt = at
    if (this.#isSkipped) return
    for (const queued of this.#waiting) {
      if (at - queued.since < overloadWaitMs) break
      this.#waiting.delete(queued)
      shed(queued.next, queued.response)
    }
    if (this.#waiting.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
