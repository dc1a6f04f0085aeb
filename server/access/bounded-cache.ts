/** A map that forgets: entries older than a time, and the oldest ones when it is full. */
export class BoundedCache<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly since: number }>()
  readonly #capacity: number
  readonly #lifetime: number

  /** `capacity` in entries, `lifetime` in milliseconds. */
  constructor(capacity: number, lifetime: number) {
    this.#capacity = capacity
    this.#lifetime = lifetime
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    const age = Date.now() - entry.since
    // A clock that was set back must not keep an entry for longer.
    if (age >= 0 && age < this.#lifetime) return entry.value
    this.#entries.delete(key)
    return undefined
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, { value, since: Date.now() })
    if (this.#entries.size <= this.#capacity) return
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      return
    }
  }

  get size(): number {
    return this.#entries.size
  }
}
