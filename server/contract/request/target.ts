import { isIPv6 } from 'node:net'

/** A request target in its parts, as sent: nothing is decoded, nothing is normalised. */
export interface Target {
  readonly path: string
  readonly rawQuery: string
}

const absoluteForm = /^https?:\/\/([^/?#]*)/i
const namedHost = /^(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+(?::[0-9]*)?$/
const bracketedHost = /^\[([^[\]]*)\](?::[0-9]*)?$/
const futureAddress = /^v[0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+$/i

/** Splits a request target in origin form or absolute form (RFC 9112, section 3.2). */
export function splitTarget(target: string): Target {
  const origin = target.startsWith('/') ? target : target.replace(absoluteForm, '')
  const at = origin.indexOf('?')
  if (at === -1) return { path: origin || '/', rawQuery: '' }
  return { path: origin.slice(0, at) || '/', rawQuery: origin.slice(at + 1) }
}

/**
 * Returns a request target without the authority of its absolute form, or the asterisk of `OPTIONS`;
 * undefined where it has none of these forms.
 */
export function toOriginForm(target: string, method: string | undefined): string | undefined {
  if (target.includes('#')) return undefined
  if (target.startsWith('/')) return target
  if (target === '*') return method === 'OPTIONS' ? target : undefined
  const [start = '', authority] = absoluteForm.exec(target) ?? []
  if (authority === undefined || !isHost(authority)) return undefined
  const rest = target.slice(start.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/**
 * Returns whether a Host field is `uri-host [":" port]` (RFC 9112, section 3.2). It must not be
 * empty: a URI of the schemes `http` and `https` always has a host (RFC 9110, section 4.2.1).
 */
export function isHost(value: string): boolean {
  if (namedHost.test(value)) return true
  const [, address] = bracketedHost.exec(value) ?? []
  if (address === undefined) return false
  return (isIPv6(address) && !address.includes('%')) || futureAddress.test(address)
}
