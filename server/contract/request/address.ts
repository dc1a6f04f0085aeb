import type { IncomingMessage } from 'node:http'

/**
 * The address of a caller behind so many proxies that append to `X-Forwarded-For`; what Express calls
 * `ip`, for requests that it does not see.
 */
export function addressOf({ headers, socket }: IncomingMessage, proxies: number): string {
  const own = socket.remoteAddress ?? ''
  const forwarded = headers['x-forwarded-for']
  if (proxies === 0 || forwarded === undefined) return own
  const hops = [own, ...String(forwarded).split(',').reverse()]
  return hops[Math.min(proxies, hops.length - 1)]?.trim() ?? own
}
