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

/** Requests that are processed, and those that wait, first in, first out: each begins when called. */
interface Queue {
  running: number
  // A Set keeps the order, and any request can leave.
  readonly waiting: Set<() => void>
}

/** Bounds the requests that are processed at once, those that wait, and how long they wait. */
export class LoadShedding {
  readonly #config: Pick<Config, 'requestsAtOnce' | 'overloadWaitMs'>
  readonly #log: RejectionLog
  // Reads are served while the store takes no writes.
  readonly #reads: Queue = { running: 0, waiting: new Set() }
  readonly #writes: Queue = { running: 0, waiting: new Set() }
  #rejected = 0
  #lastRejectedAt = Number.NEGATIVE_INFINITY

  constructor(config: Pick<Config, 'requestsAtOnce' | 'overloadWaitMs'>, log: Logger) {
    this.#config = config
    this.#log = new RejectionLog(log, {
      ...{ interval: logInterval, begun: 'overload: shedding requests', over: 'overload: over' },
      details: () => ({
        running: this.#reads.running + this.#writes.running,
        waiting: this.#waiting,
        action: 'if the store is slow, see its log lines; else start more instances',
      }),
    })
  }

  /** Lets a request pass, or wait; rejects it with 503 and `Retry-After` if it waits too long. */
  readonly limit: RequestHandler = (request, response, next) => {
    // A client that left while its API key was checked emits no `close` any more.
    if (response.destroyed) return
    const queue = safe.has(request.method) ? this.#reads : this.#writes
    if (queue.running < this.#config.requestsAtOnce) this.#begin(queue, response, next)
    else if (queue.waiting.size < longestQueue) this.#wait(queue, response, next)
    else this.#reject(response, next)
  }

  /** Returns the load of the service, for metrics. */
  load() {
    const waiting = this.#waiting
    const isRecent = performance.now() - this.#lastRejectedAt < logInterval
    return { isOverloaded: isRecent && waiting > 0, rejected: this.#rejected, waiting }
  }

  /** Logs the end of an overload, if there is one. */
  stop(): void {
    this.#log.stop()
  }

  get #waiting(): number {
    return this.#reads.waiting.size + this.#writes.waiting.size
  }

  #begin(queue: Queue, response: Response, next: NextFunction): void {
    queue.running++
    let isOver = false
    const end = () => {
      if (isOver) return
      isOver = true
      queue.running--
      for (const begin of queue.waiting) {
        if (queue.running >= this.#config.requestsAtOnce) return
        begin()
      }
    }
    // `prefinish`: a client that reads slowly keeps no other one waiting.
    response.once('prefinish', end).once('close', end)
    next()
  }

  #wait(queue: Queue, response: Response, next: NextFunction): void {
    const { overloadWaitMs } = this.#config
    // Another request ends the wait, with another trace.
    const resume = AsyncResource.bind(next)
    const leave = () => {
      queue.waiting.delete(begin)
      clearTimeout(timer)
    }
    const begin = () => {
      leave()
      this.#begin(queue, response, resume)
    }
    const expire = () => {
      leave()
      this.#reject(response, resume)
    }
    const dueAt = performance.now() + overloadWaitMs
    let timer = setTimeout(() => {
      // After a pause of the process, waiting requests are processed first.
      const isLate = performance.now() - dueAt > latestTimer
      if (isLate) timer = setTimeout(expire, extension)
      else expire()
    }, overloadWaitMs)
    queue.waiting.add(begin)
    response.once('close', leave)
  }

  #reject(response: Response, next: NextFunction): void {
    this.#rejected++
    this.#lastRejectedAt = performance.now()
    this.#log.note()
    response.locals.isShed = true
    // Random: clients that are rejected together should not return together.
    const seconds = 1 + Math.floor(Math.random() * 4)
    const unit = seconds === 1 ? 'second' : 'seconds'
    const message = `The service is overloaded. Retry in ${seconds} ${unit}.`
    const headers = { 'Retry-After': seconds }
    next(new ApiError({ status: 503, code: 'unavailable' }, message, { headers }))
  }
}

/** Milliseconds of one turn of the event loop in which requests are begun. */
const turnBudget = 10

/**
 * Returns the middleware that begins requests for ten milliseconds of a turn of the event loop, and
 * the others in the next turns, in order. Node.js reads every connection that has data before it
 * accepts new ones: with thousands of clients, health checks would wait for seconds.
 */
export function limitEventLoopTurn(): RequestHandler {
  let deferred: { readonly response: Response; readonly next: NextFunction }[] = []
  let begun: number | undefined

  function hasTime(): boolean {
    if (begun !== undefined) return performance.now() - begun < turnBudget
    begun = performance.now()
    setImmediate(endTurn)
    return true
  }

  function endTurn(): void {
    begun = undefined
    let count = 0
    while (count < deferred.length && hasTime()) {
      const request = deferred[count++]
      // A client that is gone needs no response.
      if (request?.response.destroyed === false) request.next()
    }
    deferred = deferred.slice(count)
  }

  return function beginRequest(_request, response, next) {
    if (deferred.length === 0 && hasTime()) next()
    // Another request's turn begins it, with another trace.
    else deferred.push({ response, next: AsyncResource.bind(next) })
  }
}
