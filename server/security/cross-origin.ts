import { safeMethods } from '../description/http-names.ts'

/** What tells where a request comes from. */
export interface RequestOrigin {
  readonly method: string
  /** The host that the client has sent the request to, with its port if that is not the usual one. */
  readonly host: string
  /** Header fields by their names in lower case. */
  readonly headersDistinct: Readonly<Record<string, readonly string[] | undefined>>
}

/** What browsers send in `Sec-Fetch-Site` unless another origin is involved (Fetch Metadata). */
const ownSites = new Set(['same-origin', 'none'])

/**
 * Returns whether a request may change something, and was made by a page of another origin that is not
 * allowed. Browsers send the cookies of a visitor with it, so that the page acts as the visitor (CSRF).
 */
export function isForged(request: RequestOrigin, allowedOrigins: readonly string[]): boolean {
  if (safeMethods.has(request.method)) {
    return false
  }

  const { host, headersDistinct: headers } = request
  const origins = headers['origin'] ?? []
  const isAllowed = origins.length > 0 && origins.every((origin) => allowedOrigins.includes(origin))
  if (isAllowed) {
    return false
  }

  const sites = headers['sec-fetch-site']
  if (sites !== undefined) {
    return !sites.every((site) => ownSites.has(site))
  }
  // An older browser, or a page without TLS, sends `Origin` alone; other programs send neither.
  return !origins.every((origin) => isOfHost(origin, host))
}

/** Returns whether an origin has this host; its scheme is unknown behind a proxy with TLS. */
function isOfHost(origin: string, host: string): boolean {
  const originUrl = URL.parse(origin)
  if (originUrl === null) {
    return false
  }
  // Both are parsed, so that the usual port and the case do not matter.
  const hostUrl = URL.parse(`${originUrl.protocol}//${host}`)
  return hostUrl?.host === originUrl.host
}
