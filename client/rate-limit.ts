/** What is left of the caller's limit, as the headers of an answer say. */
export interface RateLimit {
  /** Requests allowed in the window that binds. */
  readonly limit: number
  /** Requests left in it. */
  readonly remaining: number
  /** When it resets. */
  readonly reset: Date
}

/** Reads the `X-RateLimit-*` fields of an answer; undefined where it has none that can be read. */
export function readRateLimit(headers: Headers): RateLimit | undefined {
  const [limit = 0, remaining = 0, reset] = ['limit', 'remaining', 'reset'].map((name) => {
    const field = headers.get(`x-ratelimit-${name}`) ?? ''
    return /^\d{1,12}$/.test(field) ? Number(field) : Number.NaN
  })
  if (!reset || Number.isNaN(limit + remaining)) return undefined
  return { limit, remaining, reset: new Date(reset * 1000) }
}
