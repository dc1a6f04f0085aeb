/** Where the discovery document of an issuer is, after its URL (OpenID Connect Discovery 1.0, section 4). */
export const discoveryPath = '/.well-known/openid-configuration'

/**
 * Returns the URL of the discovery document: that of the configured issuer, else the `openIdConnectUrl`
 * of the description; undefined if there is neither.
 */
export function discoveryUrlOf(
  configuredIssuer: string,
  openIdConnectUrl: string | undefined,
): string | undefined {
  if (configuredIssuer !== '') {
    return configuredIssuer.replace(/\/$/, '') + discoveryPath
  }
  const url = URL.parse(openIdConnectUrl ?? '')
  const isOfWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  return isOfWeb ? url.href : undefined
}
