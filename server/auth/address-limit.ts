import { isIPv4, isIPv6 } from 'node:net'
import type { RateLimiter } from './rate-limiter.ts'
import type { Window } from './window.ts'

/** Counts requests without a valid key by address. */
export interface AddressLimit {
  readonly read: (address: string) => Promise<Window>
  /** Counts one more; tells whether it is within the limit. */
  readonly add: (address: string) => Promise<Window & { readonly isExceeded: boolean }>
}

/** Makes a limit per minute and address on requests without a valid key. */
export function createAddressLimit(
  limiter: Pick<RateLimiter, 'countAddress' | 'readAddress'>,
  limit: number,
): AddressLimit {
  return {
    async read(address) {
      const { events, resetAt } = await limiter.readAddress(networkOf(address))
      return { limit, remaining: Math.max(0, limit - events), resetAt }
    },
    async add(address) {
      const { events, resetAt } = await limiter.countAddress(networkOf(address))
      return { limit, remaining: Math.max(0, limit - events), resetAt, isExceeded: events > limit }
    },
  }
}

/**
 * The network that an address is counted under: an IPv4 address alone, an IPv6 address with its
 * whole /64, because one subscriber has all of that.
 */
export function networkOf(address: string): string {
  const plain = withoutPort(address).replace(/%.*$/, '')
  if (isIPv4(plain)) return plain
  if (!isIPv6(plain)) return 'unknown'
  // The URL parser writes any IPv6 address in its one canonical form (RFC 5952).
  const canonical = new URL(`http://[${plain}]`).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(canonical) ?? []
  if (high !== undefined && low !== undefined) return toIPv4(high, low)
  const zeros = `:${'0:'.repeat(8 - groupsOf(canonical).length)}`
  return `${groupsOf(canonical.replace('::', zeros)).slice(0, 4).join(':')}::/64`
}

function groupsOf(address: string): string[] {
  return address.split(':').filter((group) => group !== '')
}

// Some proxies append the port: `192.0.2.1:443`, `[2001:db8::1]:443`.
function withoutPort(address: string): string {
  return address.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')
}

// An IPv4 address within an IPv6 one (RFC 4291, section 2.5.5.2), in its two last groups.
function toIPv4(high: string, low: string): string {
  const groups = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return groups.flatMap((group) => [group >> 8, group & 255]).join('.')
}
