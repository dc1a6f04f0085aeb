import { createKeyLimits } from '../../../server/access/key-limits.ts'
import { createMemoryTally } from '../../../server/access/memory-tally.ts'
import type { Quota } from '../../../server/access/plans.ts'
import { type Answering, json } from './watched-store.ts'

/** How a service behaves that keeps to the limits of one key. */
export interface Behaviour {
  /** Milliseconds by which its clock is ahead. */
  readonly clockAhead?: number
  /** Milliseconds that a request takes on its way, and an answer again. */
  readonly delay?: () => number
  /** What it answers within the limit; a list of one animal unless it is given. */
  readonly answer?: Answering
}

/** A service without a socket that counts as the real one does, under a fake clock. */
export function createLimitedService(quota: Quota, behaviour: Behaviour = {}) {
  const { clockAhead = 0, delay = () => 20, answer = () => json([{ id: 1 }]) } = behaviour
  const count = createKeyLimits(createMemoryTally({ after: 10, seconds: 300 }))
  const statuses: number[] = []

  const answering: Answering = async (request, number) => {
    await pause(delay(), request.signal)
    const { outcome, window, retryAt } = await count('key', quota)
    const refused = { code: 'rate_limited', message: 'Retry later.', status: 429 }
    const response =
      outcome === 'allowed' ? await answer(request, number) : json(refused, { status: 429 })
    statuses.push(response.status)
    const now = Date.now()
    const { headers } = response
    headers.set('Date', new Date(now + clockAhead).toUTCString())
    headers.set('X-RateLimit-Limit', `${window.limit}`)
    headers.set('X-RateLimit-Remaining', `${window.remaining}`)
    headers.set('X-RateLimit-Reset', `${Math.ceil((window.resetAt + clockAhead) / 1000)}`)
    if (response.status === 429) {
      headers.set('Retry-After', `${Math.max(1, Math.ceil((retryAt - now) / 1000))}`)
    }
    await pause(delay(), request.signal)
    return response
  }

  return { answering, statuses }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}
