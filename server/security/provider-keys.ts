import { createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { toObject, toText } from '../description/json.ts'
import { reasonOf } from '../process/operator-error.ts'
import { type Discovery, isIssuerOf } from './discovery.ts'
import { fetchJson } from './fetch-json.ts'

/** The public keys of an identity provider. */
export interface ProviderKeys {
  /** The issuer in tokens that these keys sign. */
  readonly issuer: string
  /** Finds the key of a token. */
  readonly find: ReturnType<typeof createLocalJWKSet>
  /** When they were asked for, by the monotonic clock. */
  readonly loadedAt: number
}

/** The keys of an identity provider cannot be loaded or used; the message says why, for operators. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
}

/** Loads the keys that a discovery document names; rejects with a `ProviderUnavailable`. */
export async function loadProviderKeys(
  discovery: Discovery,
  signal: AbortSignal,
): Promise<ProviderKeys> {
  const loadedAt = performance.now()
  const metadata = toObject(await fetchFrom(discovery.url, signal))
  const issuer = readIssuer(metadata['issuer'], discovery)
  const keysUrl = readKeysUrl(metadata['jwks_uri'], discovery)
  const keySet = await fetchFrom(keysUrl, signal)
  try {
    // jose checks the form of the key set itself.
    const find = createLocalJWKSet(keySet as JSONWebKeySet)
    return { issuer, find, loadedAt }
  } catch (error) {
    throw new ProviderUnavailable(`${keysUrl} has no key set: ${reasonOf(error)}`)
  }
}

async function fetchFrom(url: string, signal: AbortSignal): Promise<unknown> {
  try {
    return await fetchJson(url, signal)
  } catch (error) {
    // The message of a failed fetch is in its cause.
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    throw new ProviderUnavailable(`${url}: ${reasonOf(cause)}`)
  }
}

/** Reads the issuer, which has to be the configured one (OpenID Connect Discovery 1.0, section 4.3). */
function readIssuer(value: unknown, discovery: Discovery): string {
  const issuer = toText(value)
  if (issuer === undefined) {
    throw new ProviderUnavailable(`${discovery.url} names no issuer`)
  }
  if (!isIssuerOf(discovery, issuer)) {
    throw new ProviderUnavailable(`${discovery.url} is of another issuer: ${issuer}`)
  }
  return issuer
}

function readKeysUrl(value: unknown, discovery: Discovery): string {
  const url = URL.parse(toText(value) ?? '')
  // Keys that come without TLS could be those of an attacker.
  const isAllowed = url?.protocol === 'https:' || url?.protocol === new URL(discovery.url).protocol
  if (url === null || !isAllowed) {
    throw new ProviderUnavailable(`${discovery.url} names no jwks_uri that can be used`)
  }
  return url.href
}
