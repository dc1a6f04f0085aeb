import type { Combination, JsonObject } from './description.ts'

/** A request, as far as credentials are added to it. */
interface Sent {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** Adds a secret to a request, as each scheme of a combination says; others than keys take it as a bearer token. */
export function addCredentials<Request extends Sent>(
  request: Request,
  { schemes }: Combination,
  secret: string,
): Request {
  return schemes.reduce((extended, scheme) => addCredential(extended, scheme, secret), request)
}

function addCredential<Request extends Sent>(
  request: Request,
  scheme: JsonObject,
  secret: string,
): Request {
  const { path, headers } = request
  const name = String(scheme['name'])
  if (scheme['type'] !== 'apiKey') {
    const isBasic = /^basic$/i.test(String(scheme['scheme']))
    const basic = Buffer.from(`anyone:${secret}`).toString('base64')
    const field = isBasic ? `Basic ${basic}` : `Bearer ${secret}`
    return { ...request, headers: { ...headers, Authorization: field } }
  }

  if (scheme['in'] === 'query') {
    const separator = path.includes('?') ? '&' : '?'
    return { ...request, path: `${path}${separator}${encodeURIComponent(name)}=${secret}` }
  }
  if (scheme['in'] === 'cookie') {
    const { Cookie: otherCookies } = headers
    const pair = `${name}=${secret}`
    const field = otherCookies === undefined ? pair : `${otherCookies}; ${pair}`
    return { ...request, headers: { ...headers, Cookie: field } }
  }
  return { ...request, headers: { ...headers, [name]: secret } }
}
