import { isIPv6, SocketAddress } from 'node:net'

/**
 * Returns the network that an address is counted under: an IPv4 address alone, an IPv6 address with its
 * whole /64, because one subscriber has all of that.
 */
export function networkOf(address = ''): string {
  // A link-local address may have a zone, and some proxies append the port.
  const withoutZone = address.replace(/%[^\]]*/, '')
  const parsed = SocketAddress.parse(isIPv6(withoutZone) ? `[${withoutZone}]` : withoutZone)
  if (parsed === undefined) {
    return 'unknown'
  }
  // An IPv4 address, or one within an IPv6 address (RFC 4291, section 2.5.5.2).
  const [, ipv4] = /^(?:::ffff:)?([\d.]+)$/.exec(parsed.address) ?? []
  if (ipv4 !== undefined) {
    return ipv4
  }

  // Two colons stand for as many groups of zeros as are missing.
  const sides = parsed.address.split('::').map((side) => side.split(':').filter(Boolean))
  const [start = [], end = []] = sides
  const zeros = Array<string>(8 - start.length - end.length).fill('0')
  const groups = [...start, ...zeros, ...end]
  return `${groups.slice(0, 4).join(':')}::/64`
}
