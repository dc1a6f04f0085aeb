/** What is left of the caller's limit, as the headers of an answer say. */
export interface RateLimit {
  /** Requests allowed in the window that binds. */
  readonly limit: number
  /** Requests left in it. */
  readonly remaining: number
  /** When it resets. */
  readonly reset: Date
}

/** Reads the `X-RateLimit-*` fields of an answer; undefined where it has none. */
export function readRateLimit(headers: Headers): RateLimit | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN),
  )
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined
  if (Number.isNaN(limit + remaining + reset)) return undefined
  return { limit, remaining, reset: new Date(reset * 1000) }
}
