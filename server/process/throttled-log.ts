import type { Logger } from 'pino'

/** Milliseconds between two lines while rejections continue. */
const interval = 60_000

/** Milliseconds without a rejection after which their end is logged: longer than between two probes. */
const quiet = 30_000

interface ThrottledLogOptions {
  /** The level of the lines while there are rejections; `warn` by default. */
  readonly level?: 'error'
  /** The message while there are rejections. */
  readonly startMessage: string
  readonly endMessage: string
  /** What operators should do. */
  readonly action?: string
}

/**
 * Logs rejections that come in great numbers: a line for the first, their number every minute, and a
 * line when there was none for half a minute.
 */
export class ThrottledLog {
  readonly #log: Logger
  readonly #options: ThrottledLogOptions
  #timer: NodeJS.Timeout | undefined
  #isStopped = false
  #beganAt = 0
  #lastAt = 0
  #loggedAt = 0
  /** Rejections since the last line, and since the first. */
  #rejected = 0
  #all = 0

  constructor(log: Logger, options: ThrottledLogOptions) {
    this.#log = log
    this.#options = options
  }

  /** Whether there was a rejection in the last half a minute. */
  get isActive(): boolean {
    return this.#timer !== undefined
  }

  /** Records a rejection; the line about it, if there is one, has its details and its reason. */
  record(details?: object, reason?: string): void {
    if (this.#isStopped) {
      return
    }
    const now = performance.now()
    this.#lastAt = now
    this.#rejected++
    this.#all++
    if (this.#timer === undefined) {
      this.#beganAt = now
      this.#timer = setTimeout(() => this.#end(), quiet).unref()
    } else {
      this.#timer.refresh()
      if (now - this.#loggedAt < interval) {
        return
      }
    }
    const { level = 'warn', startMessage, action } = this.#options
    const message = reason === undefined ? startMessage : `${startMessage}: ${reason}`
    this.#log[level]({ rejected: this.#rejected, ...details, action }, message)
    this.#loggedAt = now
    this.#rejected = 0
  }

  /** Logs the end of the rejections, if there were any; what is recorded later is ignored. */
  stop(): void {
    this.#isStopped = true
    if (this.#timer !== undefined) {
      this.#end()
    }
  }

  #end(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const seconds = Math.round((this.#lastAt - this.#beganAt) / 1_000)
    this.#log.info({ rejected: this.#all, seconds }, this.#options.endMessage)
    this.#rejected = 0
    this.#all = 0
  }
}
