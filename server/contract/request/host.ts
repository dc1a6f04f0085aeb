import { isIPv6 } from 'node:net'

const named = /^(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+(?::[0-9]*)?$/
const bracketed = /^\[([^[\]]*)\](?::[0-9]*)?$/
const futureAddress = /^v[0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+$/i

/**
 * Whether a Host field is `uri-host [":" port]` (RFC 9112, section 3.2). It may not be empty: a
 * URI of the schemes `http` and `https` always has a host (RFC 9110, section 4.2.1).
 */
export function isHost(value: string): boolean {
  if (named.test(value)) return true
  const [, address] = bracketed.exec(value) ?? []
  if (address === undefined) return false
  return (isIPv6(address) && !address.includes('%')) || futureAddress.test(address)
}
