import { isIPv4, isIPv6 } from 'node:net'
import type { CreateCounter } from './counters.ts'
import type { Window } from './window.ts'

/** Counts requests without a valid key by address. */
export interface AddressLimit {
  readonly read: (address: string) => Promise<Window>
  /** Counts one more; tells whether it is within the limit. */
  readonly add: (address: string) => Promise<Window & { readonly isExceeded: boolean }>
}

/** Makes a limit per minute and address on requests without a valid key. */
export function createAddressLimit(createCounter: CreateCounter, limit: number): AddressLimit {
  const counter = createCounter('address', 60)
  return {
    async read(address) {
      const { events, resetAt } = await counter.read(networkOf(address))
      return { limit, remaining: Math.max(0, limit - events), resetAt }
    },
    async add(address) {
      const { events, resetAt } = await counter.add(networkOf(address))
      return { limit, remaining: Math.max(0, limit - events), resetAt, isExceeded: events > limit }
    },
  }
}

/**
 * The network that an address is counted under: an IPv4 address alone, an IPv6 address with its
 * whole /64, because one subscriber has all of that.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, '')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped !== undefined || isIPv4(plain)) return mapped ?? plain
  if (!isIPv6(plain)) return 'unknown'
  // The URL parser writes any IPv6 address in its one canonical form (RFC 5952).
  const canonical = new URL(`http://[${plain}]`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array(8 - left.length - right.length).fill('0')
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}
