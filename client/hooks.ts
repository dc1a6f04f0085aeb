import type { Call } from './request.ts'

/** A retry that is about to be made, and why. */
export interface RetryEvent {
  readonly operationId: string
  /** The number of the attempt that failed, from 1. */
  readonly attempt: number
  /** Milliseconds until the next attempt. */
  readonly delay: number
  /** The status of the response; undefined when there was no complete response. */
  readonly status: number | undefined
  /** The error when there was no complete response. */
  readonly cause: unknown
}

/** A call of an operation that the service reports as deprecated. */
export interface DeprecationEvent {
  readonly operationId: string
  /** Since when it is deprecated (RFC 9745). */
  readonly since: Date | undefined
  /** When it will be removed (RFC 8594). */
  readonly sunset: Date | undefined
  /** What to use instead, in the words of the contract. */
  readonly replacement: string | undefined
}

/** The state of the rate limit of the API key. */
export interface RateLimit {
  /** Requests allowed in the window that is closest to its limit. */
  readonly limit: number
  /** Requests left in it. */
  readonly remaining: number
  /** When it resets. */
  readonly reset: Date
}

/** The callbacks of a client. Their errors are logged on the console, and fail no call. */
export interface Hooks {
  /** Called before every retry. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined
  /** Called with the rate limit of every response that has one. */
  readonly onRateLimit?: ((rateLimit: RateLimit) => void) | undefined
  /** Called once for each deprecated operation that is called; without it, the console warns. */
  readonly onDeprecation?: ((event: DeprecationEvent) => void) | undefined
}

/** Calls a hook. */
export async function notify<Event>(
  hook: ((event: Event) => void) | undefined,
  event: Event,
): Promise<void> {
  try {
    // An async function may reject later, which would end the process.
    await hook?.(event)
  } catch (error) {
    console.error('A hook of the client threw:', error)
  }
}

/** Reads the `X-RateLimit-*` header fields; undefined unless all of them are valid. */
export function readRateLimit(headers: Headers): RateLimit | undefined {
  const limit = readNumber(headers, 'x-ratelimit-limit')
  const remaining = readNumber(headers, 'x-ratelimit-remaining')
  const reset = readNumber(headers, 'x-ratelimit-reset')
  if (limit === undefined || remaining === undefined || reset === undefined) {
    return undefined
  }
  return { limit, remaining, reset: new Date(reset * 1000) }
}

function readNumber(headers: Headers, name: string): number | undefined {
  const field = headers.get(name) ?? ''
  return /^\d{1,12}$/.test(field) ? Number(field) : undefined
}

const warn = (event: DeprecationEvent): void =>
  console.warn(`The operation ${event.operationId} is deprecated:`, event)

/** Reports the rate limit and the deprecation that a response has. */
export function reportResponse(call: Call, { headers }: Response): void {
  const { onRateLimit, onDeprecation = warn, reported, operationId, operation } = call
  const rateLimit = readRateLimit(headers)
  if (rateLimit) {
    notify(onRateLimit, rateLimit)
  }

  // Which operation a request of `raw` calls is not known.
  const since = headers.get('deprecation')
  if (!since || !operation || reported.has(operationId)) {
    return
  }

  reported.add(operationId)
  notify(onDeprecation, {
    operationId,
    since: toDate(Number(since.slice(1)) * 1000),
    sunset: toDate(headers.get('sunset') ?? ''),
    replacement: operation.replacement,
  })
}

function toDate(time: number | string): Date | undefined {
  const date = new Date(time)
  return Number.isNaN(+date) ? undefined : date
}
