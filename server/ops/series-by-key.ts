/** The most series of a metric by API key. */
const maxSeries = 200
/** Milliseconds without a request after which a key gives up its series. */
const idleTime = 86_400_000

/** The label of the requests of keys without a series of their own. */
export const otherKeys = 'other'

interface Series {
  readonly labels: Readonly<Record<'operation' | 'key', string>>
  requests: number
  lastAt: number
}

/**
 * Counts requests by operation and key in a bounded number of series. A series ends after a day without a
 * request. While all are in use, other keys are counted together.
 */
export class SeriesByKey {
  readonly #series = new Map<string, Series>()

  count(operation: string, key: string): void {
    const series = this.#find(operation, key) ?? this.#add(operation, key)
    series.requests++
    series.lastAt = performance.now()
  }

  /** Returns the series that have not ended. */
  read(): readonly Readonly<Series>[] {
    this.#removeIdle()
    return [...this.#series.values()]
  }

  #find(operation: string, key: string): Series | undefined {
    return this.#series.get(`${operation} ${key}`)
  }

  #add(operation: string, key: string): Series {
    if (this.#series.size >= maxSeries) {
      this.#removeIdle()
    }
    const isFull = this.#series.size >= maxSeries
    const label = isFull ? otherKeys : key
    const existing = this.#find(operation, label)
    if (existing !== undefined) {
      return existing
    }

    const series: Series = { labels: { operation, key: label }, requests: 0, lastAt: 0 }
    this.#series.set(`${operation} ${label}`, series)
    return series
  }

  #removeIdle(): void {
    const oldest = performance.now() - idleTime
    for (const [name, { lastAt, labels }] of this.#series) {
      if (lastAt < oldest && labels.key !== otherKeys) {
        this.#series.delete(name)
      }
    }
  }
}
