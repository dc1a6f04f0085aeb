import { networkOf } from './network.ts'
import type { RateLimits, Verdict } from './rate-limits.ts'

/**
 * Limits the checks of credentials that can be guessed, such as passwords. As many checks of an address run at once
 * as its rate limit has requests left.
 */
export class GuessLimiter {
  readonly #limits: Pick<RateLimits, 'peekAddress'>
  readonly #byNetwork = new Map<string, AddressChecks>()

  constructor(limits: Pick<RateLimits, 'peekAddress'>) {
    this.#limits = limits
  }

  /** Waits until a check of an address may run; returns its limit instead if that is reached. */
  begin(address: string | undefined): Promise<Verdict | undefined> {
    const network = networkOf(address)
    const checks = this.#byNetwork.getOrInsertComputed(network, () => new AddressChecks())
    checks.requests++
    return checks.begin(() => this.#limits.peekAddress(address))
  }

  /** Ends what `begin` has begun, once the request is counted. */
  end(address: string | undefined, hasRun: boolean): void {
    const network = networkOf(address)
    const checks = this.#byNetwork.get(network)
    if (checks === undefined) {
      return
    }

    if (hasRun) {
      checks.end()
    }
    checks.requests--
    if (checks.requests === 0) {
      this.#byNetwork.delete(network)
    }
  }
}

/** The checks of one address. */
class AddressChecks {
  /** Requests that wait for a check, or have begun one. */
  requests = 0
  #running = 0
  /** Resolves when one of the running checks ends. */
  #nextEnd = Promise.withResolvers<void>()
  /** Resolves when all requests so far have begun. */
  #queue: Promise<unknown> = Promise.resolve()

  begin(readLimit: () => Promise<Verdict>): Promise<Verdict | undefined> {
    // One after the other, so that two requests do not both take the last request that the limit has left.
    const beginning = this.#queue.then(() => this.#waitToRun(readLimit))
    this.#queue = beginning.catch(() => undefined)
    return beginning
  }

  end(): void {
    this.#running--
    this.#nextEnd.resolve()
    this.#nextEnd = Promise.withResolvers()
  }

  async #waitToRun(readLimit: () => Promise<Verdict>): Promise<Verdict | undefined> {
    while (true) {
      // Read before the limit: a check that ends meanwhile may be missing in what the limit has left.
      const running = this.#running
      const nextEnd = this.#nextEnd.promise

      const verdict = await readLimit()
      if (verdict.remaining === 0) {
        return verdict
      }
      if (verdict.remaining > running) {
        this.#running++
        return undefined
      }
      await nextEnd
    }
  }
}

/** The guesses of one request, which count as one. */
export class RequestGuesses {
  /** Whether credentials were checked and found to be wrong. */
  hasFailed = false
  /** The limit of the address, if it was reached, so that nothing was checked. */
  reached: Verdict | undefined
  readonly #limiter: GuessLimiter | undefined
  readonly #address: string | undefined
  #beginning: Promise<Verdict | undefined> | undefined
  #hasBegun = false

  /** Without a limiter, every guess is checked. */
  constructor(limiter: GuessLimiter | undefined, address: string | undefined) {
    this.#limiter = limiter
    this.#address = address
  }

  /** Runs a check; returns undefined without running it if the limit of the address is reached. */
  async check<User>(run: () => Promise<User | undefined>): Promise<User | undefined> {
    this.#beginning ??= this.#limiter?.begin(this.#address)
    this.reached = await this.#beginning
    if (this.reached !== undefined) {
      return undefined
    }
    this.#hasBegun = true

    const user = await run()
    if (user === undefined) {
      this.hasFailed = true
    }
    return user
  }

  /** Lets the next request of the address be checked. */
  end(): void {
    if (this.#beginning !== undefined) {
      this.#limiter?.end(this.#address, this.#hasBegun)
    }
  }
}
