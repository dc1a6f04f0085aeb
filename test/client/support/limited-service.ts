import { json, type Respond, stall, succeed } from './client.ts'

/** How a service with a rate limit behaves. */
export interface Behaviour {
  /** Milliseconds by which its clock is ahead. */
  readonly clockAhead?: number
  /** Milliseconds that a request takes on its way, and its response. */
  readonly delay?: () => number
  /** What it responds within the limit; an empty page by default. */
  readonly respond?: Respond
}

export const sleep = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** Makes a `fetch` that counts requests in fixed windows, as the service does, under a fake clock. */
export function createLimitedService(
  { perMinute, perDay }: Readonly<Record<'perMinute' | 'perDay', number>>,
  behaviour: Behaviour = {},
) {
  const { clockAhead = 0, delay = () => 20, respond = succeed } = behaviour
  const statuses: number[] = []
  /** When requests were rejected. */
  const rejections: number[] = []
  const minute = { limit: perMinute, length: 60_000, used: 0, resetAt: 0 }
  const windows = [minute, { limit: perDay, length: 86_400_000, used: 0, resetAt: 0 }]

  const limited: Respond = async (request, number) => {
    const pause = () => Promise.race([sleep(delay()), stall(request, number)])
    await pause()
    const now = Date.now()
    for (const window of windows) {
      if (window.resetAt <= now) Object.assign(window, { used: 0, resetAt: now + window.length })
    }
    const full = windows.filter(({ limit, used }) => used >= limit)
    const isAllowed = full.length === 0
    if (isAllowed) for (const window of windows) window.used++
    else rejections.push(now)
    // The window with the least share left is the one that is shown.
    const shares = windows.map(({ limit, used }) => (limit - used) / limit)
    const shown = full.at(-1) ?? windows[shares.indexOf(Math.min(...shares))] ?? minute
    const rejected = { code: 'rate_limited', message: 'Retry later.', status: 429 }
    const response = isAllowed ? await respond(request, number) : json(rejected, { status: 429 })
    statuses.push(response.status)
    const { headers } = response
    headers.set('Date', new Date(Date.now() + clockAhead).toUTCString())
    headers.set('X-RateLimit-Limit', `${shown.limit}`)
    headers.set('X-RateLimit-Remaining', `${shown.limit - shown.used}`)
    headers.set('X-RateLimit-Reset', `${Math.ceil((shown.resetAt + clockAhead) / 1000)}`)
    if (!isAllowed) headers.set('Retry-After', `${Math.ceil((shown.resetAt - now) / 1000)}`)
    await pause()
    return response
  }
  return { limited, statuses, rejections }
}
