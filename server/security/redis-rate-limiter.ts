import { readFileSync } from 'node:fs'
import { createClient, defineScript } from '@redis/client'
import type { Logger } from 'pino'
import { apiName } from '../process/names.ts'
import { reasonOf } from '../process/operator-error.ts'
import {
  type CountedKind,
  type Counts,
  type Limits,
  MemoryRateLimiter,
  type Outcome,
} from './memory-rate-limiter.ts'

/** Milliseconds that a connection may take. */
const connectTimeout = 1_000

/** Milliseconds between two attempts to use Redis again. */
const retryInterval = 1_000

/** Milliseconds between two pings on an idle connection, which some services would close. */
const pingInterval = 60_000

/** Pauses of Redis in a row after which it is not used for a while. In a pause, no response comes in time. */
const maxPauses = 3

/** Options of counting in Redis, for tests. */
export interface RedisCounting {
  /** The prefix of all keys in Redis. */
  readonly prefix?: string
  /** The command timeout in milliseconds. */
  readonly timeout?: number
  /** A clock in place of that of Redis, in milliseconds. */
  readonly now?: () => number
}

/**
 * Counts in Redis or Valkey, so that instances share limits, and in this process while that is not
 * possible. A request whose response from Redis is late is counted in the process. After three pauses in a row,
 * an error or a lost connection, Redis counts no requests; an attempt to count is made once a second, until one
 * succeeds in time.
 */
export class RedisRateLimiter {
  /** Whether requests are counted in Redis now. */
  isShared = false
  /** How many times Redis was lost, or missing at the start. */
  outages = 0
  /** Requests that were counted in this process alone. */
  countedLocally = 0
  readonly #local = new MemoryRateLimiter()
  readonly #log: Logger
  readonly #redis: string
  readonly #client: ReturnType<typeof createScriptedClient>
  readonly #timeout: number
  readonly #prefix: string
  #isClosed = false
  /** Pauses of Redis since the last response in time. */
  #pauses = 0
  /** When a request was late for the last time that counted as a pause. */
  #pausedAt = Number.NEGATIVE_INFINITY
  /** The next attempt to use Redis again. */
  #retry: NodeJS.Timeout | undefined

  /** `url` may have user, password and number of the database. */
  constructor(
    url: string,
    log: Logger,
    { prefix = `${apiName}:`, timeout = 90, now }: RedisCounting,
  ) {
    const { protocol, host, pathname } = new URL(url)
    this.#redis = `${protocol}//${host}${pathname}`
    this.#log = log
    this.#prefix = prefix
    this.#timeout = timeout
    this.#client = createScriptedClient(url, now)
    this.#client.on('error', (error: unknown) => this.isShared && this.#lose(error))
  }

  async count(kind: CountedKind, id: string, limits: Limits): Promise<Counts> {
    if (this.isShared) {
      const start = performance.now()
      try {
        const response = this.#client.count(`${this.#prefix}${kind}:${id}`, limits)
        const counts = await within(this.#timeout, response)
        this.#pauses = 0
        return counts
      } catch (error) {
        this.#noteFailure(error, start)
      }
    }
    this.countedLocally++
    return this.#local.count(kind, id, limits)
  }

  /** Notes that a request was not counted in Redis, which was asked at `start`. */
  #noteFailure(error: unknown, start: number): void {
    const isLate = error instanceof LateError
    // Requests that were late together have met one pause.
    if (isLate && start > this.#pausedAt) {
      this.#pauses++
      this.#pausedAt = performance.now()
    }
    const isLost = !isLate || this.#pauses === maxPauses
    if (this.isShared && isLost) {
      this.#lose(error)
    }
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retry)
    this.#disconnect()
  }

  /** Connects again, and counts once; resolves in little over a second, whether that succeeds or not. */
  async open(): Promise<void> {
    // A response may be missing on the old connection.
    this.#disconnect()
    try {
      await within(connectTimeout, this.#client.connect())
      // Within this limit it always writes: a replica, or a Redis without memory, can still be read.
      const limits = { perMinute: Number.MAX_SAFE_INTEGER }
      const probe = () => this.#client.count(`${this.#prefix}address:probe`, limits)
      // The first one may send the script. The second is as quick as for a request.
      await within(connectTimeout, probe())
      await within(this.#timeout, probe())
    } catch (error) {
      this.#disconnect()
      return this.#lose(error)
    }
    if (this.#isClosed) {
      return this.#disconnect()
    }
    this.#pauses = 0
    this.isShared = true
    const { outages, countedLocally } = this
    this.#log.info({ redis: this.#redis, outages, countedLocally }, 'rate limits: Redis available')
  }

  #lose(error: unknown): void {
    // An attempt that fails is no other outage.
    const isNew = this.isShared || this.outages === 0
    this.isShared = false
    if (this.#isClosed) {
      return
    }
    this.#retry = setTimeout(() => this.open(), retryInterval).unref()
    if (!isNew) {
      return
    }
    this.outages++
    // Only the text: other properties of the error may have what was sent.
    const action = 'see that Redis runs, can be reached from here and lets this user write'
    const details = { redis: this.#redis, reason: reasonOf(error), action }
    this.#log.warn(details, 'rate limits: Redis unavailable, counting locally')
  }

  #disconnect(): void {
    if (this.#client.isOpen) {
      this.#client.destroy()
    }
  }
}

function createScriptedClient(url: string, now?: () => number) {
  const count = defineScript({
    // Redis gets the script once, and then its digest alone.
    SCRIPT: readFileSync(new URL('count.lua', import.meta.url), 'utf8'),
    NUMBER_OF_KEYS: 1,
    // In the order in which `count.lua` reads its arguments.
    parseCommand(parser, name: string, { perMinute, perDay, ban }: Limits) {
      const banMilliseconds = ban === undefined ? undefined : ban.seconds * 1_000
      parser.pushKey(name)
      parser.push(
        toArgument(perMinute),
        toArgument(perDay),
        toArgument(ban?.after),
        toArgument(banMilliseconds),
        toArgument(now?.()),
      )
    },
    transformReply: toCounts,
  })
  return createClient({
    url,
    scripts: { count },
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    pingInterval,
    // `open` connects again: the client itself would wait for ever for a handshake without response.
    socket: { connectTimeout, reconnectStrategy: false },
  })
}

function toArgument(value: number | undefined): string {
  return value === undefined ? '' : String(value)
}

/** What `count.lua` returns. */
type CountReply = readonly [
  outcome: Outcome,
  minute: number,
  minuteLeft: number,
  day: number,
  dayLeft: number,
  banLeft: number,
]

function toCounts(reply: CountReply): Counts {
  const [outcome, minute, minuteLeft, day, dayLeft, banLeft] = reply
  return {
    outcome,
    minute: { requests: minute, left: minuteLeft },
    day: { requests: day, left: dayLeft },
    banLeft,
  }
}

class LateError extends Error {}

/** Rejects with a `LateError` when a response does not come in time. */
function within<Value>(milliseconds: number, response: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    // A process that was busy meanwhile reads what has arrived before it decides.
    const late = () => reject(new LateError(`no response within ${milliseconds} ms`))
    const timer = setTimeout(() => setImmediate(late), milliseconds)
    response.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
