/** Where the discovery document of an issuer is, after its URL (OpenID Connect Discovery 1.0, section 4). */
const discoveryPath = '/.well-known/openid-configuration'

/** Where an identity provider publishes what it is. */
export interface Discovery {
  readonly url: string
  /** The issuer that the document has to name; undefined if only its URL is known. */
  readonly issuer: string | undefined
}

/**
 * Returns where the discovery document is: that of the configured issuer, else the `openIdConnectUrl` of the
 * description; undefined if there is neither.
 */
export function findDiscovery(
  configuredIssuer: string,
  openIdConnectUrl: string | undefined,
): Discovery | undefined {
  if (configuredIssuer !== '') {
    const issuer = withoutSlash(configuredIssuer)
    return { url: issuer + discoveryPath, issuer }
  }
  const url = URL.parse(openIdConnectUrl ?? '')
  const isOfWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  return isOfWeb ? { url: url.href, issuer: undefined } : undefined
}

/** Returns whether a document may name an issuer; a slash at its end makes no difference. */
export function isIssuerOf(discovery: Discovery, named: string): boolean {
  return discovery.issuer === undefined || withoutSlash(named) === discovery.issuer
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '')
}
