import { readFileSync } from 'node:fs'
import { createClient, defineScript } from '@redis/client'
import type { CountedKind, Counts, Limits, RateLimiter } from './rate-limits.ts'

/** Milliseconds for the first connection, and between two attempts to use Redis again. */
const [connectTimeout, retryInterval] = [1_000, 1_000]
/** Milliseconds between two pings on an idle connection, which some services would close. */
const pingInterval = 60_000
/** Commands in a row without a response in time, after which Redis is not used for a while. */
const mostLate = 3

export interface RedisOptions {
  /** `redis:` or `rediss:`, with user, password and number of the database if there are any. */
  readonly url: string
  /** The prefix of all keys in Redis. */
  readonly prefix?: string
  /** The command timeout in milliseconds. */
  readonly timeout?: number
  /** A clock in place of that of Redis, in milliseconds. */
  readonly now?: () => number
}

export interface RedisRateLimiterOptions extends RedisOptions {
  /** Counts while Redis does not. */
  readonly fallback: RateLimiter
  /** Called once when Redis cannot be used, at the start or later. */
  readonly onLost: (reason: unknown) => void
  /** Called when Redis can be used, at the start or again. */
  readonly onShared: (state: SharedLimitsState) => void
}

/** The state of counting in Redis, for metrics. */
export interface SharedLimitsState {
  readonly isShared: boolean
  /** How many times Redis was lost, or missing at the start. */
  readonly outages: number
  /** Requests that were counted in this process meanwhile. */
  readonly countedAlone: number
}

/**
 * Counts in Redis or Valkey, so that instances share limits, and in this process while that is not
 * possible. One late response is counted in the process; after three in a row, an error or a lost
 * connection, Redis is not asked until it has responded to an attempt in the background.
 */
export class RedisRateLimiter implements RateLimiter {
  readonly #options: RedisRateLimiterOptions
  readonly #client: ReturnType<typeof createScriptedClient>
  readonly #timeout: number
  readonly #prefix: string
  #isShared = false
  #isLost = false
  #isClosed = false
  #outages = 0
  #countedAlone = 0
  #late = 0
  #retry: NodeJS.Timeout | undefined

  private constructor(options: RedisRateLimiterOptions) {
    this.#options = options
    this.#prefix = options.prefix ?? 'animal-store:'
    this.#timeout = options.timeout ?? 90
    this.#client = createScriptedClient(options)
    this.#client.on('error', (error) => this.#isClosed || this.#lose(error))
  }

  /** Resolves when Redis counts, or is found missing, which takes two seconds at most. */
  static async open(options: RedisRateLimiterOptions): Promise<RedisRateLimiter> {
    const limiter = new RedisRateLimiter(options)
    await limiter.#attempt()
    return limiter
  }

  readonly count: RateLimiter['count'] = (kind, id, limits) =>
    this.#run('count', kind, id, limits, (fallback) => fallback.count(kind, id, limits))

  readonly read: RateLimiter['read'] = (kind, id) =>
    this.#run('read', kind, id, noLimits, (fallback) => fallback.read(kind, id))

  readonly state = (): SharedLimitsState => ({
    isShared: this.#isShared,
    outages: this.#outages,
    countedAlone: this.#countedAlone,
  })

  close(): void {
    this.#isClosed = true
    this.#isShared = false
    clearTimeout(this.#retry)
    if (this.#client.isOpen) this.#client.destroy()
  }

  async #run(
    mode: Mode,
    kind: CountedKind,
    id: string,
    limits: Limits,
    alone: (fallback: RateLimiter) => Promise<Counts>,
  ): Promise<Counts> {
    if (this.#isShared) {
      try {
        const name = `${this.#prefix}${kind}:${id}`
        const counts = await within(this.#timeout, this.#client.count(name, mode, limits))
        this.#late = 0
        return counts
      } catch (error) {
        if (!(error instanceof LateError) || ++this.#late >= mostLate) this.#lose(error)
      }
    }
    this.#countedAlone++
    return alone(this.#options.fallback)
  }

  #lose(reason: unknown): void {
    this.#isShared = false
    if (this.#isLost) return
    this.#isLost = true
    this.#outages++
    this.#retryLater()
    this.#options.onLost(reason)
  }

  #retryLater(): void {
    if (this.#isClosed) return
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.#attempt(), retryInterval).unref()
  }

  /** Connects once more, since a response may be missing on the old connection, and counts once. */
  async #attempt(): Promise<void> {
    try {
      if (this.#client.isOpen) this.#client.destroy()
      await within(connectTimeout, this.#client.connect())
      const probe = this.#client.count(`${this.#prefix}address:probe`, 'count', { perMinute: 1 })
      await within(connectTimeout, probe)
    } catch (error) {
      if (this.#client.isOpen) this.#client.destroy()
      if (this.#isLost) return this.#retryLater()
      return this.#lose(error)
    }
    if (this.#isClosed) return this.#client.destroy()
    this.#late = 0
    this.#isLost = false
    this.#isShared = true
    this.#options.onShared(this.state())
  }
}

type Mode = 'count' | 'read'
const noLimits: Limits = { perMinute: 0 }

function createScriptedClient({ url, now }: RedisOptions) {
  const count = defineScript({
    // Redis gets the script once, and then its digest alone.
    SCRIPT: readFileSync(new URL('count.lua', import.meta.url), 'utf8'),
    NUMBER_OF_KEYS: 1,
    parseCommand(parser, name: string, mode: Mode, { perMinute, perDay, ban }: Limits) {
      const banLength = ban && ban.seconds * 1000
      const values = [mode, perMinute, perDay, ban?.after, banLength, now?.()]
      parser.pushKey(name)
      parser.push(...values.map((value) => `${value ?? ''}`))
    },
    transformReply: toCounts,
  })
  return createClient({
    url,
    scripts: { count },
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    pingInterval,
    socket: { connectTimeout, reconnectStrategy: false },
  })
}

type CountReply = readonly [
  outcome: Counts['outcome'],
  minute: number,
  minuteLeft: number,
  day: number,
  dayLeft: number,
  banLeft: number,
]

function toCounts([outcome, minute, minuteLeft, day, dayLeft, banLeft]: CountReply): Counts {
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
