import type { AnimalStoreOptions } from './options.ts'

/**
 * The base URL as an absolute one. Throws a `TypeError` for what cannot be a header or a URL, with
 * nothing of it in the message.
 */
export function readBaseUrl({ baseUrl, apiKey }: AnimalStoreOptions): string {
  if (typeof apiKey !== 'string' || !/^[!-~]+$/.test(apiKey)) {
    throw new TypeError('apiKey must be visible ASCII.')
  }
  try {
    // In a browser, it may be relative to the page.
    const { origin, pathname, href } = new URL(baseUrl, globalThis.location?.href)
    // An empty query or hash would swallow the paths as well.
    if (/^https?:/.test(href) && href === origin + pathname) return href
  } catch {}
  throw new TypeError('baseUrl must be an http(s) URL, without a query.')
}
